/** Where everything begins. */
import { shell } from "./shell.js";
import { route, start } from "./router.js";
import { overviewPage } from "./pages/overview.js";
import { streamsPage } from "./pages/streams.js";
import { streamPage } from "./pages/stream.js";
import { subscriptionsPage } from "./pages/subscriptions.js";
import { subscriptionPage } from "./pages/subscription.js";
import { writePage } from "./pages/write.js";
import { networkPage } from "./pages/network.js";
import { dependenciesPage } from "./pages/dependencies.js";
import { tagsPage } from "./pages/tags.js";
import { historyPage } from "./pages/history.js";
import { lostPage } from "./pages/lost.js";

route("", overviewPage);
route("streams", streamsPage);
route("streams/:name/:tab?", streamPage);
route("subscriptions", subscriptionsPage);
route("subscriptions/:name/:tab?", subscriptionPage);
route("write", writePage);
route("network", networkPage);
route("dependencies", dependenciesPage);
route("tags/:content?", tagsPage);
route("history/:name?", historyPage);
route("*", lostPage);

const main = document.getElementById("main");
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
start(main, shell(document.getElementById("shell")));
