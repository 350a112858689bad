import { exportHealthCheckLines } from '@linewarden/contract'
import { api } from '../../app/net/api.ts'
import { ExportMenu } from '../../app/notify/export-menu.tsx'
import { useListState } from '../../ui/list-state.ts'
import { filterNames, lineFilter } from './filters.ts'

/** The lines of a finished check as a file: those that pass the filters of the address. */
export function ExportCheck({ testId }: { testId: number }) {
  const list = useListState(filterNames)
  return (
    <ExportMenu
      ticket={(as) =>
        api.call(exportHealthCheckLines, { body: { TestID: testId, ...lineFilter(list, list.filter('q')), ...as } })
      }
    />
  )
}
