/** What the address asks of the form: `?new=1`, `?edit=7`, `?copy=7`; null: it is not open. */
export function formAsked(
  address: URLSearchParams,
): { readonly kind: 'new' | 'edit' | 'copy'; readonly id: number | null } | null {
  for (const kind of ['edit', 'copy'] as const) {
    const given = address.get(kind)
    if (given !== null && /^\d{1,9}$/.test(given)) return { kind, id: Number(given) }
  }
  return address.has('new') ? { kind: 'new', id: null } : null
}
