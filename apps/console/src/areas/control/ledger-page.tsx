import type { LedgerEntry } from '@linewarden/contract'
import { actorName, actorTyped, commandSources, commandSteps, ledger } from '@linewarden/contract'
import { actionKeys } from '@linewarden/equipment'
import { commandStates } from '@linewarden/rules/control'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { api } from '../../app/net/api.ts'
import { useCall } from '../../app/net/use-call.ts'
import { useRows } from '../../app/net/use-rows.ts'
import { FilterSelect, SearchField, Segments } from '../../ui/fields.tsx'
import { clockTime } from '../../ui/format.ts'
import { said } from '../../ui/i18n.ts'
import { useListState } from '../../ui/list-state.ts'
import { Page } from '../../ui/page.tsx'
import { QueryTable } from '../../ui/query-table.tsx'
import type { TableColumn } from '../../ui/table-column.ts'
import { useDelayed } from '../../ui/use-delayed.ts'
import { stateWord } from './command-words.ts'
import { RunProgressDialog } from './run-progress.tsx'
import { RunsView } from './runs-view.tsx'
import { toldCommand } from './step-words.ts'
import { StepsDialog } from './steps-dialog.tsx'

const filters = ['line', 'actor', 'action', 'state', 'source', 'device', 'no'] as const
const sortable = ['RequestedAt', 'Actor', 'Action', 'State'] as const

const actorOf = ({ Command }: LedgerEntry) => said(actorName(Command.Actor))
const reasonOf = ({ Command }: LedgerEntry) => said(Command.Reason)

const views = ['commands', 'runs'] as const

/** Who ordered what, and what did the equipment say to it? Line by line, or by the groups that lines were operated in. */
export function LedgerPage() {
  const { t } = useTranslation('operations')
  const [query, setQuery] = useSearchParams()
  const view = views.find((each) => each === query.get('view')) ?? 'commands'
  const device = query.get('device')
  return (
    <Page
      title={t('ledger')}
      {...(device && view === 'commands' && { crumb: `${device} #${query.get('no') ?? ''}` })}
      tools={
        <Segments
          label={t('view')}
          value={view}
          options={views.map((value) => ({ value, label: t(`views.${value}`) }))}
          onChange={(to) => setQuery(to === 'commands' ? {} : { view: to })}
        />
      }
    >
      {view === 'runs' ? <RunsView /> : <CommandsView />}
    </Page>
  )
}

function CommandsView() {
  const { t } = useTranslation(['operations', 'control'])
  const list = useListState(filters, sortable)
  const lineName = useDelayed(list.filter('line'), 300)
  const actor = useDelayed(list.filter('actor'), 300)
  const [open, setOpen] = useState<string | null>(null)
  const [run, setRun] = useState<string | null>(null)
  const device = list.filter('device')
  const no = list.filter('no')
  const query = {
    ...(device && { ControllerID: device }),
    ...(/^\d{1,4}$/.test(no) && { LineNo: Number(no) }),
    ...(lineName && { LineName: lineName }),
    ...(actor && { Actor: actorTyped(actor) }),
    ...chosen('Action', actionKeys, list.filter('action')),
    ...chosen('State', commandStates, list.filter('state')),
    ...chosen('Source', commandSources, list.filter('source')),
    ...list.order,
  }
  const requestOf = (Page: number, Size: number) => ({ query: { ...query, Page, Size } })
  const rows = useRows(ledger, requestOf(list.page, list.size))
  const columns: readonly TableColumn<LedgerEntry>[] = [
    {
      key: 'RequestedAt',
      head: t('time'),
      cell: ({ Command }) => clockTime(Command.RequestedAt),
      text: ({ Command }) => new Date(Command.RequestedAt).toISOString(),
    },
    {
      key: 'line',
      head: t('line'),
      cell: ({ LineName, Command }) => LineName || Command.ControllerID,
      text: ({ LineName }) => LineName,
    },
    { key: 'project', head: t('project'), cell: ({ HouseName }) => HouseName, text: ({ HouseName }) => HouseName },
    {
      key: 'Action',
      head: t('action'),
      cell: ({ Command }) => t(`control:${Command.Action}`),
      text: ({ Command }) => t(`control:${Command.Action}`),
    },
    { key: 'Actor', head: t('actor'), cell: actorOf, text: actorOf },
    {
      key: 'source',
      head: t('source'),
      cell: ({ Command }) => sourceWord(Command.Source),
      text: ({ Command }) => sourceWord(Command.Source),
    },
    { key: 'reason', head: t('reason'), cell: reasonOf, text: reasonOf },
    { key: 'State', head: t('state'), cell: ({ Command }) => stateWord(Command), text: ({ Command }) => stateWord(Command) },
    {
      key: 'took',
      head: t('took'),
      end: true,
      cell: ({ Command }) => took(Command) ?? '–',
      text: ({ Command }) => took(Command),
    },
  ]
  function sourceWord(source: string): string {
    const known = commandSources.find((each) => each === source)
    return known ? t(`sources.${known}`) : source
  }
  return (
    <>
      <QueryTable
        label={t('ledger')}
        columns={columns}
        rows={rows}
        rowKey={({ Command }) => Command.CommandID}
        list={list}
        filters={
          <>
            <SearchField label={t('lineName')} value={list.filter('line')} onChange={(value) => list.setFilter('line', value)} />
            <SearchField label={t('actor')} value={list.filter('actor')} onChange={(value) => list.setFilter('actor', value)} />
            <FilterSelect
              label={t('anyAction')}
              value={list.filter('action')}
              options={actionKeys.map((value) => ({ value, label: t(`control:${value}`) }))}
              onChange={(value) => list.setFilter('action', value)}
            />
            <FilterSelect
              label={t('anyState')}
              value={list.filter('state')}
              options={commandStates.map((value) => ({ value, label: t(`control:states.${value}`) }))}
              onChange={(value) => list.setFilter('state', value)}
            />
            <FilterSelect
              label={t('anySource')}
              value={list.filter('source')}
              options={commandSources.map((value) => ({ value, label: t(`sources.${value}`) }))}
              onChange={(value) => list.setFilter('source', value)}
            />
          </>
        }
        rowActions={({ Command }) => (
          <>
            {Command.RunID !== null && (
              <button type="button" className="btn small quiet" onClick={() => setRun(Command.RunID)}>
                {t('run')}
              </button>
            )}
            <button type="button" className="btn small quiet" onClick={() => setOpen(Command.CommandID)}>
              {t('steps')}
            </button>
          </>
        )}
        empty={{ title: t('noLedger') }}
        fetchPage={(page, size) => api.call(ledger, requestOf(page, size))}
        exportName={t('ledger')}
      />
      {open && <CommandSteps id={open} onClose={() => setOpen(null)} />}
      {run && <RunProgressDialog runId={run} title={t('run')} onClose={() => setRun(null)} />}
    </>
  )
}

function CommandSteps({ id, onClose }: { id: string; onClose: () => void }) {
  const query = useCall(commandSteps, { params: { CommandID: id } }, { select: toldCommand })
  return <StepsDialog id={id} query={query} onClose={onClose} />
}

const took = ({ VerifiedAt, RequestedAt }: LedgerEntry['Command']): string | null =>
  VerifiedAt === null ? null : `${((VerifiedAt - RequestedAt) / 1000).toFixed(2)} s`

/** A filter from the address, if it is one. */
function chosen<const K extends string, const V extends string>(
  key: K,
  values: readonly V[],
  given: string,
): { readonly [P in K]?: V } {
  const value = values.find((each) => each === given)
  return (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: V }
}
