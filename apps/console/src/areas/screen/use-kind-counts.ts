import { listEvents } from '@linewarden/contract'
import type { AlarmKind } from '@linewarden/equipment'
import { alarmKinds } from '@linewarden/equipment'
import { useQueries } from '@tanstack/react-query'
import { queryOf } from '../../app/net/use-call.ts'

/** How many of each kind are open, while it is asked for; null: not known. */
export function useKindCounts(isAsked: boolean): readonly { readonly kind: AlarmKind; readonly count: number | null }[] {
  return useQueries({
    queries: isAsked
      ? alarmKinds.map((kind) => ({
          ...queryOf(listEvents, { body: { Open: true, Folded: false, Shelved: false, Kinds: [kind], Size: 1 } }),
          refetchInterval: 10_000,
        }))
      : [],
    combine: (results) =>
      results.flatMap(({ data }, at) => {
        const kind = alarmKinds[at]
        return kind ? [{ kind, count: data?.total ?? null }] : []
      }),
  })
}
