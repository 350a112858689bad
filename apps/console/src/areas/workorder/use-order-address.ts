import { useSearchParams } from 'react-router'

/** Orders on a board or as a list, or hazards. */
export type ShownAs = 'board' | 'list' | 'hazards'

/** Which order or hazard is open, how orders are shown and whether one is being written, by the address: also after the page was loaded anew. */
export function useOrderAddress() {
  const [address, setAddress] = useSearchParams()
  const put = (name: string, value: string) =>
    setAddress((before) => {
      if (value === '') before.delete(name)
      else before.set(name, value)
      return before
    })
  const asked = address.get('as')
  const idOf = (name: string) => Number(/^[1-9]\d{0,8}$/.exec(address.get(name) ?? '')?.[0]) || null
  return {
    orderId: idOf('order'),
    hazardId: idOf('hazard'),
    as: (asked === 'list' || asked === 'hazards' ? asked : 'board') satisfies ShownAs as ShownAs,
    /** A new order: `place`, the alarm that it is made from, or `h` and the hazard. Null: none is written. */
    made: /^(?:place|h?[0-9]{1,18})$/.exec(address.get('new') ?? '')?.[0] ?? null,
    isRules: address.get('rules') === 'open',
    /** The open order as its sheet, to be printed. */
    isSheet: address.get('sheet') === 'yes',
    showSheet: (isSheet: boolean): void => put('sheet', isSheet ? 'yes' : ''),
    showRules: (isOpen: boolean): void =>
      setAddress((before) => {
        before.delete('order')
        if (isOpen) before.set('rules', 'open')
        else before.delete('rules')
        return before
      }),
    show(orderId: number | null): void {
      setAddress((before) => {
        before.delete('new')
        before.delete('rules')
        if (orderId === null) before.delete('order')
        else before.set('order', String(orderId))
        return before
      })
    },
    showHazard: (hazardId: number | null): void => put('hazard', hazardId === null ? '' : String(hazardId)),
    /** An order, from among the hazards. */
    showOrder: (orderId: number): void => setAddress(new URLSearchParams({ as: 'list', order: String(orderId) })),
    write: (what: string | null): void => put('new', what ?? ''),
    /** The place stays; what filters orders says nothing of hazards. */
    setAs: (as: ShownAs): void =>
      setAddress((before) => {
        const kept = new URLSearchParams()
        for (const [name, value] of before)
          if (name === 'at' || ((as === 'hazards') === (asked === 'hazards') && name !== 'as')) kept.append(name, value)
        if (as !== 'board') kept.set('as', as)
        return kept
      }),
  }
}
