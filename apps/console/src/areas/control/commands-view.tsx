import { actorTyped, commandSources, ledger } from '@linewarden/contract'
import { actionKeys } from '@linewarden/equipment'
import { commandStates } from '@linewarden/rules/control'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../app/net/api.ts'
import { useRows } from '../../app/net/use-rows.ts'
import type { ListState } from '../../ui/list-state.ts'
import { useListState } from '../../ui/list-state.ts'
import { QueryTable } from '../../ui/query-table.tsx'
import { useDelayed } from '../../ui/use-delayed.ts'
import { commandColumns } from './command-columns.ts'
import { CommandFilters } from './command-filters.tsx'
import { CommandSteps } from './command-steps.tsx'
import { GroupOperationProgressDialog } from './group-operation-progress.tsx'

const filters = ['line', 'actor', 'action', 'state', 'source', 'device', 'no'] as const
const sortable = ['RequestedAt', 'Actor', 'Action', 'State'] as const

/** Command by command: the steps of each, and the group that it was part of. */
export function CommandsView() {
  const { t } = useTranslation(['operations', 'control'])
  const list = useListState(filters, sortable)
  const query = useQueryOf(list)
  const [open, setOpen] = useState<string | null>(null)
  const [operation, setOperation] = useState<string | null>(null)
  const requestOf = (Page: number, Size: number) => ({ query: { ...query, ...list.order, Page, Size } })
  const rows = useRows(ledger, requestOf(list.page, list.size))
  return (
    <>
      <QueryTable
        label={t('control:ledger')}
        columns={commandColumns(t)}
        rows={rows}
        rowKey={({ Command }) => Command.CommandID}
        list={list}
        filters={<CommandFilters list={list} />}
        rowActions={({ Command }) => (
          <>
            {Command.RunID !== null && (
              <button type="button" className="btn small quiet" onClick={() => setOperation(Command.RunID)}>
                {t('run')}
              </button>
            )}
            <button type="button" className="btn small quiet" onClick={() => setOpen(Command.CommandID)}>
              {t('steps')}
            </button>
          </>
        )}
        empty={{ title: t('control:noCommands') }}
        fetchPage={(page, size) => api.call(ledger, requestOf(page, size))}
        exportName={t('control:ledger')}
      />
      {open && <CommandSteps id={open} onClose={() => setOpen(null)} />}
      {operation && <GroupOperationProgressDialog operationId={operation} title={t('run')} onClose={() => setOperation(null)} />}
    </>
  )
}

/** What the filters ask of the server; what is typed, once the hand rests. */
function useQueryOf(list: ListState) {
  const line = useDelayed(list.filter('line'), 300)
  const actor = useDelayed(list.filter('actor'), 300)
  const device = list.filter('device')
  const no = list.filter('no')
  return {
    ...(device && { ControllerID: device }),
    ...(/^\d{1,4}$/.test(no) && { LineNo: Number(no) }),
    ...(line && { LineName: line }),
    ...(actor && { Actor: actorTyped(actor) }),
    ...chosen('Action', actionKeys, list.filter('action')),
    ...chosen('State', commandStates, list.filter('state')),
    ...chosen('Source', commandSources, list.filter('source')),
  }
}

/** A filter from the address, if it is one. */
function chosen<const K extends string, const V extends string>(
  key: K,
  values: readonly V[],
  given: string,
): { readonly [P in K]?: V } {
  const value = values.find((each) => each === given)
  return (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: V }
}
