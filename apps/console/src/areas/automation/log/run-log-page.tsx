import type { RunEntry, RunsAbout } from '@linewarden/contract'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { useTree } from '../../../plant/queries.ts'
import { useSelection } from '../../../plant/selection.ts'
import { Empty, Failed, Loading } from '../../../ui/body-state.tsx'
import { ExportButton } from '../../../ui/export-button.tsx'
import { SearchField } from '../../../ui/fields.tsx'
import { Icon } from '../../../ui/icon.tsx'
import type { ListState } from '../../../ui/list-state.ts'
import { Outdated } from '../../../ui/outdated.tsx'
import { Page } from '../../../ui/page.tsx'
import { Pager } from '../../../ui/pager.tsx'
import type { RowsQuery } from '../../../ui/query-table.tsx'
import { placeName } from '../../warning/place-name.ts'
import { dayChoices } from './filters.ts'
import { runColumns } from './run-columns.ts'
import { RunStrip } from './run-strip.tsx'
import type { ZoneOf } from './run-table.tsx'
import { RunTable } from './run-table.tsx'
import '../../../ui/query-table.css'
import '../../../ui/list.css'
import './log.css'

type Runs = { readonly items: readonly RunEntry[]; readonly total: number; readonly about: RunsAbout }

/** By which clock each project lives. */
export function useZones(): ZoneOf {
  const groups = useTree().data?.Groups ?? []
  const zones = new Map(groups.flatMap(({ Houses }) => Houses.map(({ HouseID, TimeZone }) => [HouseID, TimeZone] as const)))
  return (houseId) => zones.get(houseId) ?? Intl.DateTimeFormat().resolvedOptions().timeZone
}

interface Props {
  readonly title: string
  readonly isOfTimers: boolean
  readonly list: ListState
  readonly days: number
  readonly amissFirst: boolean
  readonly rows: RowsQuery<RunEntry> & { readonly data: Runs | undefined }
  readonly fetchPage: (page: number, size: number) => Promise<Pick<Runs, 'items' | 'total'>>
  /** Between the counts and the list. */
  readonly before?: ReactNode
  /** More filters of one kind of runs. */
  readonly filters?: ReactNode
}

/** A log of runs: how many ended how, filters, what was not done first, each run with its lines. The address holds all of it. */
export function RunLogPage({ title, isOfTimers, list, days, amissFirst, rows, fetchPage, before, filters }: Props) {
  const { t } = useTranslation(['runLog', 'app'])
  const [selection, select] = useSelection()
  const [address, setAddress] = useSearchParams()
  const zoneOf = useZones()
  const place = placeName(selection, useTree().data?.Groups ?? [])
  const open = /^[0-9a-f-]{36}$/.exec(address.get('run') ?? '')?.[0] ?? null
  const show = (executionId: string | null) =>
    setAddress((was) => {
      if (executionId === null) was.delete('run')
      else was.set('run', executionId)
      return was
    })
  const { data, problem, isFetching, retry, at } = rows
  return (
    <Page
      title={title}
      crumb={[place ?? t('allProjects'), t('days', { count: days })].join(' · ')}
      tools={<ExportButton name={title} columns={runColumns(t, zoneOf, isOfTimers)} fetchPage={fetchPage} />}
    >
      {data && <RunStrip about={data.about} list={list} isOfTimers={isOfTimers} />}
      <div className="list-body run-body">
        {before}
        <div className="list-bar run-bar">
          <SearchField label={t('search')} value={list.filter('q')} onChange={(value) => list.setFilter('q', value)} />
          {filters}
          <select
            aria-label={t('period')}
            value={days}
            onChange={({ target }) => list.setFilter('days', target.value === String(dayChoices[0]) ? '' : target.value)}
          >
            {[...dayChoices]
              .sort((one, other) => one - other)
              .map((count) => (
                <option key={count} value={count}>
                  {t('days', { count })}
                </option>
              ))}
          </select>
          {place !== null && (
            <button type="button" className="chip" aria-pressed="true" onClick={() => select({ kind: 'all' })}>
              {place}
              <Icon name="close" />
            </button>
          )}
          <button
            type="button"
            className="chip order"
            aria-pressed={amissFirst}
            onClick={() => list.setFilter('order', amissFirst ? 'time' : '')}
          >
            {t('amissFirst')}
          </button>
        </div>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
        <div className="list-scroll" tabIndex={0} aria-busy={isFetching}>
          {problem !== null && !data && <Failed message={problem} busy={isFetching} retry={retry} />}
          {problem === null && !data && <Loading />}
          {data && data.items.length > 0 && (
            <RunTable
              label={title}
              runs={data.items}
              zoneOf={zoneOf}
              isWaiting={isFetching && problem !== null}
              isGrouped={amissFirst}
              open={open}
              onOpen={show}
            />
          )}
          {data?.items.length === 0 &&
            (list.filtered || list.page > 1 ? (
              <Empty title={t('app:noMatch')} action={{ label: t('app:clearFilters'), run: list.clear }} />
            ) : (
              <Empty title={t('none')} hint={t('noneHint')} />
            ))}
        </div>
        {problem !== null && data && <Outdated problem={problem} at={at} busy={isFetching} retry={retry} />}
        <Pager page={list.page} size={list.size} total={data?.total ?? null} onPage={list.setPage} onSize={list.setSize} />
      </div>
    </Page>
  )
}
