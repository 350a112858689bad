/** What this page runs: its first script, whose name changes with what is in it. */
export function buildId(): string {
  const script = document.querySelector<HTMLScriptElement>('script[type="module"][src]')
  return (script?.src.split('/').at(-1) ?? 'dev').slice(0, 64)
}
