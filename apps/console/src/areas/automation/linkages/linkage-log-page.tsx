import { linkageLog } from '@linewarden/contract'
import { dayMs } from '@linewarden/equipment'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { useRows } from '../../../app/net/use-rows.ts'
import { placeFilter } from '../../../plant/place-filter.ts'
import { useTree } from '../../../plant/queries.ts'
import { useSelection } from '../../../plant/selection.ts'
import { Empty, Failed, Loading } from '../../../ui/body-state.tsx'
import { SearchField, Segments } from '../../../ui/fields.tsx'
import { addTexts } from '../../../ui/i18n.ts'
import { Icon } from '../../../ui/icon.tsx'
import type { ListState } from '../../../ui/list-state.ts'
import { useListState } from '../../../ui/list-state.ts'
import { Outdated } from '../../../ui/outdated.tsx'
import { Page } from '../../../ui/page.tsx'
import { Pager } from '../../../ui/pager.tsx'
import { useDelayed } from '../../../ui/use-delayed.ts'
import { useByNow } from '../../../ui/use-now.ts'
import { placeName } from '../../warning/place-name.ts'
import { automation } from '../parts/texts.ts'
import { LogTable } from './log-table.tsx'
import { linkageLogTexts } from './log-texts.ts'
import { linkages } from './texts.ts'
import '../../../ui/query-table.css'
import '../../../ui/list.css'
import './linkage-log.css'

addTexts({ automation, linkages, linkageLogTexts })

const everyMs = 10_000
/** So far back it can be narrowed, in days; the first is what it shows by itself. */
const dayChoices = [7, 1, 30, 400] as const
const filterNames = ['q', 'linkage', 'near', 'days', 'run'] as const

/** Which linkage fired, by which values, and what became of it; and which nearly did. The address holds all of it. */
export function LinkageLogPage() {
  const { t } = useTranslation(['linkageLogTexts', 'app'])
  const [selection, select] = useSelection()
  const list = useListState(filterNames)
  const minute = useByNow((now) => Math.floor(now / 60_000))
  const days = dayChoices.find((each) => String(each) === list.filter('days')) ?? dayChoices[0]
  const text = useDelayed(list.filter('q'), 300).trim().slice(0, 64)
  const only = /^[0-9]{1,9}$/.exec(list.filter('linkage'))?.[0]
  const { HouseID } = placeFilter(selection)
  const run = /^[0-9a-f-]{36}$/.exec(list.filter('run'))?.[0]
  const rows = useRows(
    linkageLog,
    {
      body: {
        // A run that a link names is shown whenever it was.
        ...(run ? { RunID: run } : { From: minute * 60_000 - days * dayMs }),
        ...(HouseID !== undefined && { HouseID }),
        ...(only && { LinkageID: Number(only) }),
        ...(list.filter('near') === 'yes' && !run && { Near: true }),
        ...(text !== '' && { Name: text }),
        Page: list.page,
        Size: list.size,
      },
    },
    { everyMs },
  )
  const groups = useTree().data?.Groups ?? []
  const place = placeName(selection, groups)
  const zones = new Map(groups.flatMap(({ Houses }) => Houses.map((each) => [each.HouseID, each.TimeZone] as const)))
  const { data, problem, isFetching, retry, at } = rows
  return (
    <Page title={t('title')} crumb={[place ?? t('allProjects'), t('days', { count: days })].join(' · ')}>
      <div className="list-body">
        <Filters list={list} days={days} place={place} onAllPlaces={() => select({ kind: 'all' })} />
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
        <div className="list-scroll" tabIndex={0} aria-busy={isFetching}>
          {problem !== null && !data && <Failed message={problem} busy={isFetching} retry={retry} />}
          {problem === null && !data && <Loading />}
          {data && data.items.length > 0 && (
            <LogTable
              entries={data.items}
              zoneOf={(houseId) => zones.get(houseId) ?? browserZone()}
              isAlone={run !== undefined}
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

const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

function Filters({
  list,
  days,
  place,
  onAllPlaces,
}: {
  list: ListState
  days: number
  place: string | null
  onAllPlaces: () => void
}) {
  const { t } = useTranslation('linkageLogTexts')
  const [address] = useSearchParams()
  return (
    <div className="list-bar">
      <SearchField label={t('search')} value={list.filter('q')} onChange={(value) => list.setFilter('q', value)} />
      <Segments
        label={t('which')}
        value={list.filter('near') === 'yes' ? 'near' : 'ran'}
        options={[
          { value: 'ran', label: t('ran') },
          { value: 'near', label: t('near') },
        ]}
        onChange={(to) => list.setFilter('near', to === 'near' ? 'yes' : '')}
      />
      <select
        aria-label={t('period')}
        value={days}
        onChange={({ target }) => list.setFilter('days', target.value === String(dayChoices[0]) ? '' : target.value)}
      >
        {dayChoices
          .toSorted((one, other) => one - other)
          .map((count) => (
            <option key={count} value={count}>
              {t('days', { count })}
            </option>
          ))}
      </select>
      {(['linkage', 'run'] as const).map(
        (name) =>
          address.get(name) && (
            <button type="button" key={name} className="chip" aria-pressed="true" onClick={() => list.setFilter(name, '')}>
              {t('oneOnly')}
              <Icon name="close" />
            </button>
          ),
      )}
      {place !== null && (
        <button type="button" className="chip" aria-pressed="true" onClick={onAllPlaces}>
          {place}
          <Icon name="close" />
        </button>
      )}
    </div>
  )
}
