import { useSearchParams } from 'react-router'

/** Which order is open, how orders are shown and whether one is being written, by the address: also after the page was loaded anew. */
export function useOrderAddress() {
  const [address, setAddress] = useSearchParams()
  const put = (name: string, value: string) =>
    setAddress((before) => {
      if (value === '') before.delete(name)
      else before.set(name, value)
      return before
    })
  return {
    orderId: Number(/^[1-9]\d{0,8}$/.exec(address.get('order') ?? '')?.[0]) || null,
    asList: address.get('as') === 'list',
    /** A new order: `place`, or the alarm that it is made from. Null: none is written. */
    made: /^(?:place|[0-9]{1,18})$/.exec(address.get('new') ?? '')?.[0] ?? null,
    show(orderId: number | null): void {
      setAddress((before) => {
        before.delete('new')
        if (orderId === null) before.delete('order')
        else before.set('order', String(orderId))
        return before
      })
    },
    write: (what: string | null): void => put('new', what ?? ''),
    setAsList: (asList: boolean): void => put('as', asList ? 'list' : ''),
  }
}
