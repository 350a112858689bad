import type { Reply, SettingChange } from '@linewarden/contract'
import { actorName, settingHistory, settingSteps } from '@linewarden/contract'
import type { Setting } from '@linewarden/equipment'
import { families } from '@linewarden/equipment'
import { mayHaveTaken, reportingInterval } from '@linewarden/rules/settings'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { api } from '../../app/net/api.ts'
import { useCall } from '../../app/net/use-call.ts'
import { useRows } from '../../app/net/use-rows.ts'
import { ReasonedButton } from '../../app/notify/reasoned-button.tsx'
import type { LineRef } from '../../plant/equipment.ts'
import { FilterSelect, Segments } from '../../ui/fields.tsx'
import { clockTime } from '../../ui/format.ts'
import { localised as inWords } from '../../ui/i18n.ts'
import { useListState } from '../../ui/list-state.ts'
import { QueryTable } from '../../ui/query-table.tsx'
import type { TableColumn } from '../../ui/table-column.ts'
import { becauseOf } from '../control/step-words.ts'
import type { OrderCourse } from '../control/steps-dialog.tsx'
import { StepsDialog } from '../control/steps-dialog.tsx'
import { targetOf } from './queries.ts'
import { useOutcome, whyNot } from './results.tsx'
import { UndoDialog } from './undo-dialog.tsx'
import { withUnit } from './values.ts'

const filters = ['Off'] as const
const sortable = ['RequestedAt', 'Actor', 'State'] as const

/** Who changed what, when and why, what became of it, and the way back. `placed` null: no line is chosen, so it is of all. */
export function HistoryView({ lineRef, mayNot }: { lineRef: LineRef | null; mayNot: string | null }) {
  const { t } = useTranslation(['settings', 'app'])
  const outcome = useOutcome()
  const [query, setQuery] = useSearchParams()
  const list = useListState(filters, sortable)
  const [undoing, setUndoing] = useState<SettingChange | null>(null)
  const [open, setOpen] = useState<string | null>(null)
  const one = query.get('scope') === 'all' ? null : lineRef
  const off = list.filter('Off') !== ''
  const body = { ...(one && { Target: targetOf(one) }), ...(off && { Off: true }), ...list.order }
  const requestOf = (Page: number, Size: number) => ({ body: { ...body, Page, Size } })
  const rows = useRows(settingHistory, requestOf(list.page, list.size))
  const whoOf = ({ Actor, Source, Template }: SettingChange) =>
    `${inWords(actorName(Actor))} · ${Template ?? t(`sources.${Source}`)}`
  const columns: readonly TableColumn<SettingChange>[] = [
    {
      key: 'RequestedAt',
      head: t('app:time'),
      cell: ({ RequestedAt }) => clockTime(RequestedAt),
      text: ({ RequestedAt }) => new Date(RequestedAt).toISOString(),
    },
    { key: 'LineName', head: t('app:line'), cell: ({ LineName }) => LineName, text: ({ LineName }) => LineName },
    {
      key: 'Settings',
      head: t('change'),
      cell: (change) => <span title={wordsOf(change)}>{wordsOf(change)}</span>,
      text: wordsOf,
    },
    {
      key: 'Actor',
      head: t('app:by'),
      cell: whoOf,
      text: whoOf,
    },
    { key: 'Reason', head: t('app:reason'), cell: ({ Reason }) => Reason, text: ({ Reason }) => Reason },
    { key: 'State', head: t('app:result'), cell: outcome, text: outcome },
  ]
  return (
    <>
      <QueryTable
        label={t('views.history')}
        columns={columns}
        rows={rows}
        rowKey={({ CommandID }) => CommandID}
        list={list}
        filters={
          <>
            {lineRef && (
              <Segments
                label={t('scope')}
                value={one ? 'line' : 'all'}
                options={[
                  { value: 'line', label: t('thisLine') },
                  { value: 'all', label: t('allLines') },
                ]}
                onChange={(to) =>
                  setQuery((before) => {
                    before.delete('page')
                    if (to === 'all') before.set('scope', 'all')
                    else before.delete('scope')
                    return before
                  })
                }
              />
            )}
            <FilterSelect
              label={t('allChanges')}
              value={list.filter('Off')}
              options={[{ value: '1', label: t('onlyOff') }]}
              onChange={(value) => list.setFilter('Off', value)}
            />
          </>
        }
        rowActions={(change) => (
          <>
            <button type="button" className="btn small quiet" onClick={() => setOpen(change.CommandID)}>
              {t('steps')}
            </button>
            <ReasonedButton
              className="btn small quiet"
              reason={mayNot ?? (mayUndo(change) ? null : t('undoNothing'))}
              onClick={() => setUndoing(change)}
            >
              {t('undo')}
            </ReasonedButton>
          </>
        )}
        empty={{ title: t('noChanges') }}
        fetchPage={(page, size) => api.call(settingHistory, requestOf(page, size))}
        exportName={t('views.history')}
      />
      {open && <ChangeSteps id={open} onClose={() => setOpen(null)} />}
      {undoing && <UndoDialog change={undoing} onClose={() => setUndoing(null)} />}
    </>
  )
}

/** The steps of one change, in words. */
function ChangeSteps({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation('settings')
  const outcome = useOutcome()
  const courseOf = ({ Change, Steps }: Reply<typeof settingSteps>): OrderCourse => ({
    what: Change.LineName,
    about: [wordsOf(Change), inWords(actorName(Change.Actor)), outcome(Change)].join(' · '),
    steps: Steps.map(({ State, At, Evidence }) => ({
      At,
      became: t(`states.${State}`),
      because: Evidence.kind === 'readBack' ? t('readBack', { what: readBackOf(Evidence) }) : becauseOf(Evidence, whyNot),
    })),
  })
  const query = useCall(settingSteps, { params: { CommandID: id } }, { select: courseOf })
  return <StepsDialog id={id} query={query} onClose={onClose} />
}

/** Only what took effect, or may have, and whose former values are known. */
const mayUndo = ({ State, Settings }: SettingChange): boolean =>
  mayHaveTaken.some((state) => state === State) && Settings.every(({ Former }) => Former !== null)

/** Settings of one key are called alike in every family. */
const settingOf = (key: string): Setting | null =>
  key === reportingInterval.key
    ? reportingInterval
    : (families.flatMap(({ settings }) => settings).find((each) => each.key === key) ?? null)

function wordsOf({ Settings }: SettingChange): string {
  return Settings.map(({ Key, Former, Wanted }) => {
    const setting = settingOf(Key)
    return setting ? `${inWords(setting.label)} ${withUnit(setting, Former)} → ${withUnit(setting, Wanted)}` : Key
  }).join(' · ')
}

function readBackOf({ key, value }: Readonly<Record<string, unknown>>): string {
  const setting = typeof key === 'string' ? settingOf(key) : null
  return setting && typeof value === 'number' ? `${inWords(setting.label)} ${withUnit(setting, value)}` : `${key} ${value}`
}
