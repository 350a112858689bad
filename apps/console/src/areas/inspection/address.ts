import { useSearchParams } from 'react-router'

export const views = ['plans', 'rounds', 'labels'] as const
export type View = (typeof views)[number]

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Which view is open, which round, whether as a sheet, and what is being written: also after the page was loaded anew. */
export function useInspectionAddress() {
  const [address, setAddress] = useSearchParams()
  const put = (values: Readonly<Record<string, string>>) =>
    setAddress((before) => {
      for (const [name, value] of Object.entries(values)) {
        if (value === '') before.delete(name)
        else before.set(name, value)
      }
      return before
    })
  return {
    view: views.find((each) => each === address.get('view')) ?? 'plans',
    roundId: uuid.exec(address.get('round') ?? '')?.[0] ?? null,
    isSheet: address.get('sheet') === 'yes',
    /** `plan`: a new one; a number: that plan; `online`: a round that the server walks. Null: nothing is written. */
    written: /^(?:plan|online|[1-9]\d{0,8})$/.exec(address.get('new') ?? '')?.[0] ?? null,
    /** The Monday from which the calendar shows; empty: around today. */
    from: /^\d{4}-\d{2}-\d{2}$/.exec(address.get('from') ?? '')?.[0] ?? '',
    code: address.get('Code') ?? '',
    setView: (view: View) => put({ view: view === 'plans' ? '' : view, page: '', round: '', state: '' }),
    show: (roundId: string | null) => put({ round: roundId ?? '', sheet: '', new: '' }),
    showSheet: (isSheet: boolean) => put({ sheet: isSheet ? 'yes' : '' }),
    write: (what: string | null) => put({ new: what ?? '' }),
    /** The rounds of one state. */
    showState: (state: string) => put({ view: 'rounds', state, page: '' }),
    setFrom: (from: string) => put({ from }),
  }
}

export type InspectionAddress = ReturnType<typeof useInspectionAddress>
