type Theme = 'light' | 'dark'

const key = 'linewarden.theme'

/** The chosen theme, or the system's. */
function theme(): Theme {
  const kept = localStorage.getItem(key)
  if (kept === 'light' || kept === 'dark') return kept
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}

export function applyTheme(): void {
  document.documentElement.dataset.theme = theme()
}

export function toggleTheme(): void {
  localStorage.setItem(key, theme() === 'dark' ? 'light' : 'dark')
  applyTheme()
}
