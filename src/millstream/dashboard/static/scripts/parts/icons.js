/** Small drawings, all in one stroke. */
import { s } from "../dom.js";

const PATHS = {
  overview: "M3 11l9-7 9 7v9a1 1 0 0 1-1 1h-5v-6H9v6H4a1 1 0 0 1-1-1z",
  streams: "M2 7c3.3-3 6.700-3 10 0s6.700 3 10 0M2 12.500c3.300-3 6.700-3 10 0s6.700 3 10 0M2 18c3.300-3 6.700-3 10 0s6.700 3 10 0",
  subscriptions: "M4 5h16M4 10h16M4 15h9M4 20h9M17 14v6m-3-3h6",
  network: "M12 3a2.200 2.200 0 1 1 0 4.400 2.200 2.200 0 0 1 0-4.400zM5 16.600a2.200 2.200 0 1 1 0 4.400 2.200 2.200 0 0 1 0-4.400zM19 16.600a2.200 2.200 0 1 1 0 4.400 2.200 2.200 0 0 1 0-4.400zM11 7.300l-4.800 9.400M13 7.300l4.800 9.400M7.200 18.800h9.600",
  dependencies: "M4 3h6v5H4zM14 9.500h6v5h-6zM4 16h6v5H4zM10 5.500h2.500v13H10M12.500 12H14",
  tags: "M3 4h8l10 10-7.500 7.500L3 11.500zM7.500 8.500h.01",
  history: "M4 5v5h5M4.500 10a8.200 8.200 0 1 1-.6 4M12 8v4.500l3 2",
  write: "M4 20l1-4.500L16.500 4 20 7.500 8.500 19zM14 6.500l3.500 3.500",
  menu: "M4 6h16M4 12h16M4 18h16",
  theme: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 3v18M12 7.500l7-2.500M12 12h9M12 16.500l7 2.500",
  download: "M12 4v11m-4.500-4.500L12 15l4.500-4.500M4 20h16",
  back: "M14 6l-6 6 6 6",
  forward: "M10 6l6 6-6 6",
  check: "M4.500 12.500l5 5 10-11",
  quarantine: "M12 3l9.500 17h-19zM12 10v4.500M12 17.300v.01",
};

export const icon = (name) =>
  s("svg", { viewBox: "0 0 24 24", fill: "none", stroke: "currentColor", "stroke-width": "1.8", "stroke-linecap": "round", "stroke-linejoin": "round", "aria-hidden": "true" },
    s("path", { d: PATHS[name] }));
