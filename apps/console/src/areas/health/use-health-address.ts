import { useSearchParams } from 'react-router'

/** Which check is shown, whether as a sheet, and which line is open, by the address. */
export function useHealthAddress() {
  const [address, setAddress] = useSearchParams()
  const idOf = (name: string) => Number(/^[1-9]\d{0,8}$/.exec(address.get(name) ?? '')?.[0]) || null
  const put = (values: Readonly<Record<string, string>>) =>
    setAddress((before) => {
      for (const [name, value] of Object.entries(values)) {
        if (value === '') before.delete(name)
        else before.set(name, value)
      }
      return before
    })
  return {
    testId: idOf('check'),
    lineId: idOf('row'),
    isSheet: address.get('sheet') === 'yes',
    /** Another check: filters stay, its pages begin anew. */
    show: (testId: number | null) => put({ check: testId === null ? '' : String(testId), page: '', row: '' }),
    open: (lineId: number | null) => put({ row: lineId === null ? '' : String(lineId) }),
    showSheet: (isSheet: boolean, testId: number) => put({ sheet: isSheet ? 'yes' : '', check: String(testId) }),
  }
}
