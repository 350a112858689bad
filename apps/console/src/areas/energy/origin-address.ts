/** What of a page's figures is looked into: a stretch, Unix ms, of what the page shows or of a part of it. */
export interface OriginPlace {
  readonly part: { readonly kind: 'line' | 'virtual'; readonly id: number } | null
  readonly from: number
  readonly to: number
}

const form = /^(?:([lv])([1-9]\d{0,9})\.)?(\d{1,15})-(\d{1,15})$/
/** How far one walks down in one sheet. */
const maxPlaces = 12

/** The way that somebody walked, from the figure on the page down; whatever is none is as if it were not there. */
export function readOrigin(text: string | null): readonly OriginPlace[] {
  const places = (text ?? '').split('~').map((each): OriginPlace | null => {
    const [, kind, id, from, to] = form.exec(each) ?? []
    if (from === undefined || to === undefined) return null
    const part = kind === undefined ? null : { kind: kind === 'l' ? ('line' as const) : ('virtual' as const), id: Number(id) }
    return { part, from: Number(from), to: Number(to) }
  })
  return places.every((each) => each !== null) ? places.slice(0, maxPlaces) : []
}

export const originText = (places: readonly OriginPlace[]): string =>
  places
    .slice(-maxPlaces)
    .map(({ part, from, to }) => `${part ? `${part.kind === 'line' ? 'l' : 'v'}${part.id}.` : ''}${from}-${to}`)
    .join('~')
