import type { Project, StatementRow } from '@linewarden/contract'
import { draftStatement, listStatements } from '@linewarden/contract'
import { civilZone } from '@linewarden/rules/automation'
import { keepPreviousData, useQueries } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { queryOf, useCall } from '../../app/net/use-call.ts'
import { useByNow } from '../../ui/use-now.ts'
import type { ShownRow } from './statement-values.ts'
import { keyOf, monthsOfPage } from './statement-values.ts'

export const stateFilters = ['draft', 'issued', 'replaced', 'void', 'late'] as const
export type StateFilter = (typeof stateFilters)[number]

/** Rows of a page; what is more goes to a next one. */
export const rowsOfPage = 100
/** A draft is computed anew no more often. */
const draftMs = 300_000

/** The list as its address has it, with the draft of each row that has no statement. */
export function useStatements(house: Project) {
  const [address, setAddress] = useSearchParams()
  const zone = civilZone(house.TimeZone)
  const today = useByNow((now) => zone.dayAt(now))
  const months = monthsOfPage(address.get('month'), today)
  const state = stateFilters.find((each) => each === address.get('state')) ?? null
  const page = Math.max(1, Number.parseInt(address.get('page') ?? '1', 10) || 1)
  const query = useCall(
    listStatements,
    {
      query: {
        ...{ HouseID: house.HouseID, From: months.from, To: months.to, Page: page, Size: rowsOfPage },
        ...(state !== null && { State: state }),
      },
    },
    { placeholderData: keepPreviousData },
  )
  const found = query.data?.items ?? []
  const drafts = found.filter(({ Issued }) => Issued === null)
  const computed = useQueries({
    queries: drafts.map(({ SupplyID, Month }: StatementRow) => ({
      ...queryOf(draftStatement, { body: { HouseID: house.HouseID, SupplyID, Month } }),
      staleTime: draftMs,
    })),
  })
  const rows: readonly ShownRow[] = found.map((row) => {
    const place = drafts.indexOf(row)
    const own = place < 0 ? undefined : computed[place]
    const draftState = !own ? 'none' : own.data ? 'here' : own.isError ? 'failed' : 'loading'
    return { key: keyOf(row), row, draft: own?.data ?? null, draftState }
  })
  const go = (values: Readonly<Record<string, string | null>>) =>
    setAddress((before) => {
      for (const [name, value] of Object.entries({ page: null, ...values }))
        if (value === null) before.delete(name)
        else before.set(name, value)
      return before
    })
  return { query, rows, months, state, page, today, go }
}
