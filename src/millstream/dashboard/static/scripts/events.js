/** Server-sent events with a token and with resume, which EventSource cannot both. */
import { Problem, ask, isAbort } from "./api.js";

const LONGEST_PAUSE = 15000;

/**
 * Follow a log until it ends or the signal says so: each item once and in order, across breaks.
 * `on.items` gets some items at a time, `on.state` "live", "broken" or "ended".
 */
export async function follow(path, { after, signal, on }) {
  let last = after ?? null;
  let pause = 1000;
  while (!signal.aborted) {
    try {
      const headers = { Accept: "text/event-stream", ...(last !== null && { "Last-Event-ID": last }) };
      const response = await ask(path, { headers, signal });
      on.state("live");
      for await (const events of eventsOf(response.body)) {
        pause = 1000;
        const items = events.filter((each) => each.type === "item").map((each) => JSON.parse(each.data));
        if (items.length) {
          last = items.at(-1).position;
          on.items(items);
        }
        if (events.some((each) => each.type === "end")) return on.state("ended");
      }
    } catch (error) {
      if (isAbort(error) || signal.aborted) return undefined;
      if (error instanceof Problem && error.problem.status >= 400 && error.problem.status < 500 && error.problem.status !== 429) {
        return on.state("refused", error);
      }
    }
    on.state("broken");
    await rest(pause, signal);
    pause = Math.min(2 * pause, LONGEST_PAUSE);
  }
  return undefined;
}

/** The events of a body, those of one chunk together. */
async function* eventsOf(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (text + value).split("\n\n");
    text = blocks.pop();
    const events = blocks.map(eventOf).filter((each) => each.data !== "");
    if (events.length) yield events;
  }
}

function eventOf(block) {
  const event = { type: "message", data: "" };
  for (const line of block.split("\n")) {
    if (line.startsWith("event: ")) event.type = line.slice(7);
    else if (line.startsWith("data: ")) event.data += line.slice(6);
  }
  return event;
}

function rest(milliseconds, signal) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => { clearTimeout(timer); resolve(); }, { once: true });
  });
}
