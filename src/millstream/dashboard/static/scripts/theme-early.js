// Before anything is painted, so that no page flashes in the wrong colours.
(() => {
  const chosen = localStorage.getItem("millstream.theme");
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = chosen ?? (dark ? "dark" : "light");
})();
