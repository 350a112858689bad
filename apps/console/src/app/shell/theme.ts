type Theme = 'light' | 'dark'

const key = 'linewarden.theme'
const dark = matchMedia('(prefers-color-scheme: dark)')

const systems = (): Theme => (dark.matches ? 'dark' : 'light')

/** The chosen theme, or the system's. */
function theme(): Theme {
  const kept = localStorage.getItem(key)
  return kept === 'light' || kept === 'dark' ? kept : systems()
}

const apply = (): void => {
  document.documentElement.dataset.theme = theme()
}

/** Puts the theme on the page, and keeps it right: the system's changes with the day, and what one tab chooses is true for all. */
export function startTheme(): void {
  apply()
  dark.addEventListener('change', apply)
  addEventListener('storage', (event) => {
    if (event.key === key) apply()
  })
}

/** The other one. Who comes back to the system's follows it again. */
export function toggleTheme(): void {
  const to = theme() === 'dark' ? 'light' : 'dark'
  if (to === systems()) localStorage.removeItem(key)
  else localStorage.setItem(key, to)
  apply()
}
