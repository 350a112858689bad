import type { JournalRecord, Reply } from '@linewarden/contract'
import {
  actionName,
  actionNames,
  actorName,
  actorTyped,
  listJournal,
  maxNamed,
  outcomeName,
  outcomeNames,
  verifyJournal,
} from '@linewarden/contract'
import { dayMs } from '@linewarden/equipment'
import type { TFunction } from 'i18next'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../app/net/api.ts'
import { callWithToast } from '../../app/net/call-with-toast.ts'
import { useRows } from '../../app/net/use-rows.ts'
import { Drawer } from '../../ui/drawer.tsx'
import { FilterSelect, SearchField } from '../../ui/fields.tsx'
import { dayOf, dayTime } from '../../ui/format.ts'
import { said } from '../../ui/i18n.ts'
import { useListState } from '../../ui/list-state.ts'
import { MomentChoice } from '../../ui/moment-field.tsx'
import { momentIn, momentText } from '../../ui/moment-text.ts'
import { Page } from '../../ui/page.tsx'
import { PickFilter } from '../../ui/pick-field.tsx'
import { QueryTable } from '../../ui/query-table.tsx'
import type { TableColumn } from '../../ui/table-column.ts'
import { useDelayed } from '../../ui/use-delayed.ts'
import { serverNow } from '../../ui/use-now.ts'
import { useMe } from '../site/queries.ts'
import '../../ui/outdated.css'
import './log-page.css'

const filters = ['Actor', 'Action', 'Target', 'Outcome', 'From', 'To'] as const
const sortable = ['At', 'Actor', 'Action'] as const
/** Local midnight of a day written as year-month-day; null when it is none. */
const midnight = (day: string): number | null => {
  const at = /^\d{4}-\d\d-\d\d$/.test(day) ? new Date(`${day}T00:00:00`).getTime() : Number.NaN
  return Number.isNaN(at) ? null : at
}

/** Who did what, when, and with what outcome? Nothing in it can be edited; a chain of check values shows whether anything was. */
export function LogPage() {
  const { t } = useTranslation(['people', 'app'])
  const list = useListState(filters, sortable)
  const platform = useMe().data?.Kind === 'platform'
  const [open, setOpen] = useState<JournalRecord | null>(null)
  const actor = useDelayed(list.filter('Actor'), 300)
  const target = useDelayed(list.filter('Target'), 300)
  const action = list.filter('Action')
  const outcome = list.filter('Outcome')
  const from = midnight(list.filter('From'))
  const to = midnight(list.filter('To'))
  const body = {
    ...(actor && { Actor: actorTyped(actor) }),
    ...(target && { Target: target }),
    ...(action && { Action: action }),
    ...(outcome && { Outcome: outcome }),
    ...(from !== null && { From: from }),
    ...list.order,
    // The last day is meant to be in it.
    ...(to !== null && { To: new Date(to + 1.5 * dayMs).setHours(0, 0, 0, 0) }),
  }
  const fetchPage = (Page: number, Size: number) => api.call(listJournal, { body: { ...body, Page, Size } })
  const newest = useRef<number | null>(null)
  /** For the export: entries that come in while it runs would push others from one page to the next. It ends with the newest of its start. */
  const exportPage = async (Page: number, Size: number) => {
    if (Page === 1) {
      const { Sort: _, ...found } = body
      newest.current = (await api.call(listJournal, { body: { ...found, Page: 1, Size: 1 } })).items[0]?.At ?? null
    }
    const until = newest.current === null ? {} : { To: newest.current + 1 }
    return api.call(listJournal, { body: { ...body, ...until, Page, Size } })
  }
  const rows = useRows(
    listJournal,
    { body: { ...body, Page: list.page, Size: list.size } },
    { fetch: () => fetchPage(list.page, list.size) },
  )
  const names = rows.data?.about.Names
  const columns: readonly TableColumn<JournalRecord>[] = [
    { key: 'At', head: t('at'), cell: ({ At }) => dayTime(At), text: ({ At }) => new Date(At).toISOString() },
    {
      key: 'Actor',
      head: t('actor'),
      cell: ({ Actor }) => said(actorName(Actor)) || '–',
      text: ({ Actor }) => said(actorName(Actor)),
    },
    { key: 'Action', head: t('action'), cell: ({ Label }) => said(Label), text: ({ Label }) => said(Label) },
    {
      key: 'Target',
      head: t('target'),
      cell: ({ TargetLabel }) => said(TargetLabel) || '–',
      text: ({ TargetLabel }) => said(TargetLabel),
    },
    {
      key: 'Outcome',
      head: t('outcome'),
      cell: ({ Outcome }) => (Outcome === 'done' ? said(outcomeName(Outcome)) : <b>{said(outcomeName(Outcome))}</b>),
      text: ({ Outcome }) => said(outcomeName(Outcome)),
    },
    { key: 'Address', head: t('address'), cell: ({ Address }) => Address || '–', text: ({ Address }) => Address },
    changed('Before', t('before')),
    changed('After', t('after')),
  ]
  const today = momentIn('day', dayOf(new Date(serverNow())))
  const day = (name: 'From' | 'To', label: string) => (
    <span className="filter-day">
      <span aria-hidden="true">{label}</span>
      <MomentChoice
        kind="day"
        label={label}
        at={momentIn('day', list.filter(name))}
        {...(today !== null && { max: today })}
        onChoose={(at) => list.setFilter(name, at === null ? '' : momentText('day', at))}
      />
    </span>
  )
  return (
    <Page title={t('log')} tools={platform && <Verify />}>
      {target !== '' && names !== undefined && names !== 'all' && (
        <p className="outdated" role="status">
          {names === 'cut' ? t('namesCut', { text: target, most: maxNamed }) : t('namesShort')}
        </p>
      )}
      <QueryTable
        label={t('log')}
        columns={columns}
        rows={rows}
        rowKey={({ ID }) => ID}
        list={list}
        filters={
          <>
            {day('From', t('from'))}
            {day('To', t('to'))}
            <SearchField label={t('actor')} value={list.filter('Actor')} onChange={(value) => list.setFilter('Actor', value)} />
            <PickFilter
              label={t('allActions')}
              value={action}
              options={Object.keys(actionNames).map((key) => ({ value: key, label: said(actionName(key)) }))}
              onChange={(value) => list.setFilter('Action', value)}
            />
            <SearchField
              label={t('target')}
              value={list.filter('Target')}
              onChange={(value) => list.setFilter('Target', value)}
            />
            <FilterSelect
              label={t('allOutcomes')}
              value={outcome}
              options={Object.keys(outcomeNames).map((value) => ({ value, label: said(outcomeName(value)) }))}
              onChange={(value) => list.setFilter('Outcome', value)}
            />
          </>
        }
        rowActions={(entry) =>
          (entry.Before !== null || entry.After !== null) && (
            <button type="button" className="btn small quiet" onClick={() => setOpen(entry)}>
              {t('details')}
            </button>
          )
        }
        empty={{ title: t('noLog') }}
        fetchPage={exportPage}
      />
      {open && (
        <Drawer
          label={said(open.Label)}
          title={<h2>{said(open.Label)}</h2>}
          subtitle={
            <p className="mute">
              {dayTime(open.At)} · {said(actorName(open.Actor))} · {said(open.TargetLabel)}
            </p>
          }
          onClose={() => setOpen(null)}
        >
          <div className="log-details">
            {open.Before !== null && <Change title={t('before')} json={open.Before} />}
            {open.After !== null && <Change title={t('after')} json={open.After} />}
          </div>
        </Drawer>
      )}
    </Page>
  )
}

const changed = (key: 'Before' | 'After', head: string): TableColumn<JournalRecord> => ({
  key,
  head,
  cell: (entry) => entry[key] ?? '–',
  text: (entry) => entry[key],
  optional: true,
})

function Change({ title, json }: { title: string; json: string }) {
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <pre>{pretty(json)}</pre>
    </section>
  )
}

function pretty(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2)
  } catch {
    return json
  }
}

type Copy = NonNullable<Reply<typeof verifyJournal>['Copy']>

/** What is said of the copy of the log outside the database. */
function copySentence({ First, Last, DepartsAt, BrokenAt }: Copy, t: TFunction<'people'>): string {
  const found = [
    ...(DepartsAt === null ? [] : [t('copyDeparts', { id: DepartsAt })]),
    ...(BrokenAt === null ? [] : [t('copyBroken', { where: BrokenAt })]),
  ]
  if (found.length > 0) return found.join(' ')
  return First === null || Last === null ? t('copyEmpty') : t('copyIntact', { first: First, last: Last })
}

/** Walks the whole chain of the log on the server and says what was found; the sentence stays. */
function Verify() {
  const { t } = useTranslation('people')
  const [busy, setBusy] = useState(false)
  const [found, setFound] = useState<{ readonly text: string; readonly broken: boolean } | null>(null)
  const verify = async () => {
    setBusy(true)
    setFound(null)
    const outcome = await callWithToast(api.call(verifyJournal))
    setBusy(false)
    if (!outcome) return
    const { Entries, FirstBroken, Copy } = outcome.reply
    const chain = FirstBroken === null ? t('intact', { count: Entries }) : t('broken', { id: FirstBroken })
    setFound({
      text: Copy ? `${chain} ${copySentence(Copy, t)}` : chain,
      broken: FirstBroken !== null || (Copy !== null && (Copy.DepartsAt ?? Copy.BrokenAt) !== null),
    })
  }
  return (
    <>
      {found && (
        <span role="status" className={found.broken ? 'verified broken' : 'verified'}>
          {found.text}
        </span>
      )}
      <button type="button" className="btn" disabled={busy} onClick={verify}>
        {busy ? t('verifying') : t('verify')}
      </button>
    </>
  )
}
