/** Light or dark: as the system has it, until somebody chooses. */
const KEY = "millstream.theme";
const system = matchMedia("(prefers-color-scheme: dark)");

export const currentTheme = () => document.documentElement.dataset.theme;

export function switchTheme() {
  const next = currentTheme() === "dark" ? "light" : "dark";
  localStorage.setItem(KEY, next);
  document.documentElement.dataset.theme = next;
}

system.addEventListener("change", () => {
  if (localStorage.getItem(KEY) === null) {
    document.documentElement.dataset.theme = system.matches ? "dark" : "light";
  }
});
