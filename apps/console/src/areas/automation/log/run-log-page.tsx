import type { RunEntry, RunsAbout } from '@linewarden/contract'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { ListBar, NoMatch } from '../../../plant/list-bar.tsx'
import { usePlaceName } from '../../../plant/place-name.ts'
import { Empty, Failed, Loading } from '../../../ui/body-state.tsx'
import { ExportButton } from '../../../ui/export-button.tsx'
import type { ListState } from '../../../ui/list-state.ts'
import { Outdated } from '../../../ui/outdated.tsx'
import { Page } from '../../../ui/page.tsx'
import { Pager } from '../../../ui/pager.tsx'
import type { RowsQuery } from '../../../ui/query-table.tsx'
import { DayFilter } from '../parts/day-filter.tsx'
import { useZones } from '../parts/use-zones.ts'
import { filterNames } from './filters.ts'
import { runColumns } from './run-columns.ts'
import { RunStrip } from './run-strip.tsx'
import { RunTable } from './run-table.tsx'
import '../../../ui/query-table.css'
import '../../../ui/list.css'
import './log.css'

type Runs = { readonly items: readonly RunEntry[]; readonly total: number; readonly about: RunsAbout }

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
  const { t } = useTranslation(['runLog', 'automation', 'app'])
  const [address, setAddress] = useSearchParams()
  const zoneOf = useZones()
  const place = usePlaceName()
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
      crumb={[place ?? t('allProjects'), t('automation:days', { count: days })].join(' · ')}
      tools={<ExportButton name={title} columns={runColumns(t, zoneOf, isOfTimers)} fetchPage={fetchPage} />}
    >
      {data && <RunStrip about={data.about} list={list} isOfTimers={isOfTimers} />}
      <div className="list-body run-body">
        {before}
        <ListBar list={list} search={t('search')}>
          {filters}
          <DayFilter list={list} />
          <button
            type="button"
            className="chip order"
            aria-pressed={amissFirst}
            onClick={() => list.setFilter('order', amissFirst ? 'time' : '')}
          >
            {t('amissFirst')}
          </button>
        </ListBar>
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
            (list.filtered || list.page > 1 || place !== null ? (
              <NoMatch filters={filterNames} />
            ) : (
              <Empty title={t('none')} hint={t(isOfTimers ? 'noneHint.timers' : 'noneHint.scenes')} />
            ))}
        </div>
        {problem !== null && data && <Outdated problem={problem} at={at} busy={isFetching} retry={retry} />}
        <Pager page={list.page} size={list.size} total={data?.total ?? null} onPage={list.setPage} onSize={list.setSize} />
      </div>
    </Page>
  )
}
