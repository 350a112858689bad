import { linkageLog } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { api } from '../../../app/net/api.ts'
import { useRows } from '../../../app/net/use-rows.ts'
import { ListBar, NoMatch } from '../../../plant/list-bar.tsx'
import { usePlaceName } from '../../../plant/place-name.ts'
import { useSelection } from '../../../plant/selection.ts'
import { Empty, Failed, Loading } from '../../../ui/body-state.tsx'
import { ExportButton } from '../../../ui/export-button.tsx'
import { FilterSelect } from '../../../ui/fields.tsx'
import { addTexts } from '../../../ui/i18n.ts'
import { Icon } from '../../../ui/icon.tsx'
import type { ListState } from '../../../ui/list-state.ts'
import { useListState } from '../../../ui/list-state.ts'
import { Outdated } from '../../../ui/outdated.tsx'
import { Page } from '../../../ui/page.tsx'
import { Pager } from '../../../ui/pager.tsx'
import { useDelayed } from '../../../ui/use-delayed.ts'
import { useByNow } from '../../../ui/use-now.ts'
import { DayFilter } from '../parts/day-filter.tsx'
import { automation } from '../parts/texts.ts'
import { useZones } from '../parts/use-zones.ts'
import { logColumns } from './log-columns.ts'
import type { LogAbout, LogChoice } from './log-filters.ts'
import { filterNames, logFilter } from './log-filters.ts'
import { LogStrip } from './log-strip.tsx'
import { LogTable } from './log-table.tsx'
import { linkageLogTexts } from './log-texts.ts'
import { linkages } from './texts.ts'
import { useWhy } from './why-text.ts'
import '../../../ui/query-table.css'
import './linkage-log.css'

addTexts({ automation, linkages, linkageLogTexts })

const everyMs = 10_000

/** Which linkage fired, by which values, and what became of it; and which nearly did. The address holds all of it. */
export function LinkageLogPage() {
  const { t } = useTranslation(['linkageLogTexts', 'automation', 'app'])
  const [selection] = useSelection()
  const list = useListState(filterNames)
  const minute = useByNow((now) => Math.floor(now / 60_000))
  const { body, days, choice, run } = logFilter(list, selection, useDelayed(list.filter('q'), 300), minute * 60_000)
  const rows = useRows(linkageLog, { body: { ...body, Page: list.page, Size: list.size } }, { everyMs })
  const place = usePlaceName()
  const zoneOf = useZones()
  const why = useWhy()
  const { data, problem, isFetching, retry, at } = rows
  return (
    <Page
      title={t('title')}
      crumb={[place ?? t('allProjects'), ...(run === null ? [t('automation:days', { count: days })] : [])].join(' · ')}
      tools={
        <ExportButton
          name={t('title')}
          columns={logColumns(t, why, zoneOf)}
          fetchPage={(Page, Size) => api.call(linkageLog, { body: { ...body, Page, Size } })}
        />
      }
    >
      {data && run === null && <LogStrip about={data.about} choice={choice} list={list} />}
      <div className="list-body">
        <Filters list={list} choice={choice} isOfOne={run !== null} about={data?.about ?? null} />
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
        <div className="list-scroll" tabIndex={0} aria-busy={isFetching}>
          {problem !== null && !data && <Failed message={problem} busy={isFetching} retry={retry} />}
          {problem === null && !data && <Loading />}
          {data && data.items.length > 0 && <LogTable entries={data.items} zoneOf={zoneOf} isAlone={run !== null} />}
          {data?.items.length === 0 &&
            (list.filtered || list.page > 1 || place !== null ? (
              <NoMatch filters={filterNames} />
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

function Filters({
  list,
  choice,
  isOfOne,
  about,
}: {
  list: ListState
  choice: LogChoice
  /** A link names the run that is shown: nothing narrows that. */
  isOfOne: boolean
  about: LogAbout | null
}) {
  const { t } = useTranslation('linkageLogTexts')
  const why = useWhy()
  const chip = (name: 'linkage' | 'run', label: string) => (
    <button type="button" className="chip" aria-pressed="true" onClick={() => list.setFilter(name, '')}>
      {label}
      <Icon name="close" />
    </button>
  )
  if (isOfOne) return <div className="list-bar">{chip('run', t('oneRun'))}</div>
  return (
    <ListBar list={list} search={t('search')}>
      {choice === 'near' && (
        <FilterSelect
          label={t('anyWhy')}
          value={list.filter('why')}
          options={(about?.Near ?? []).map(({ Why, Count }) => ({ value: Why, label: `${why(Why) || Why} ${Count}` }))}
          onChange={(value) => list.setFilter('why', value)}
        />
      )}
      <DayFilter list={list} />
      {list.filter('linkage') !== '' && chip('linkage', t('oneOnly'))}
    </ListBar>
  )
}
