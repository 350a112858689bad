import type { HealthCheckLine, List } from '@linewarden/contract'
import { getHealthCheck, listHealthCheckLines } from '@linewarden/contract'
import { healthBands, healthCategories } from '@linewarden/rules/health'
import { keepPreviousData } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { useShown } from '../../app/net/use-failure.ts'
import { Empty } from '../../ui/body-state.tsx'
import { FilterSelect, SearchField } from '../../ui/fields.tsx'
import type { ListState } from '../../ui/list-state.ts'
import { useListState } from '../../ui/list-state.ts'
import { Pager } from '../../ui/pager.tsx'
import { useDelayed } from '../../ui/use-delayed.ts'
import { useNarrow } from '../../ui/use-media.ts'
import { CheckAside } from './check-aside.tsx'
import { CheckStrip } from './check-strip.tsx'
import { filterNames, lineFilter } from './filters.ts'
import { LineCards, LineRows } from './line-rows.tsx'
import { useHealthAddress } from './use-health-address.ts'

/** What a finished check found: the plant's score, its lines worst first, and what cost most. */
export function CheckBody({ testId, houseId }: { testId: number; houseId: number }) {
  const list = useListState(filterNames)
  const details = useCall(getHealthCheck, { params: { TestID: testId } })
  const known = useShown(details)
  const filter = lineFilter(list, useDelayed(list.filter('q'), 300))
  const query = useCall(
    listHealthCheckLines,
    { body: { TestID: testId, ...filter, Page: list.page, Size: list.size } },
    { placeholderData: keepPreviousData },
  )
  return (
    <>
      <Unloaded query={details} />
      {known && <CheckStrip {...known} />}
      <div className="health-body">
        <div className="list-body">
          <Filters list={list} />
          <Lines query={query} list={list} houseId={houseId} />
        </div>
        {known && <CheckAside details={known} list={list} />}
      </div>
    </>
  )
}

type LinesQuery = ReturnType<typeof useCall<typeof listHealthCheckLines, List<HealthCheckLine>>>

function Lines({ query, list, houseId }: { query: LinesQuery; list: ListState; houseId: number }) {
  const { t } = useTranslation(['healthCheck', 'app'])
  const data = useShown(query)
  const isNarrow = useNarrow()
  const { lineId, open } = useHealthAddress()
  const shown = data && data.items.length > 0 ? { lines: data.items, houseId, open: lineId, onOpen: open } : null
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <div className="list-scroll" tabIndex={0} aria-busy={query.isFetching}>
        <Unloaded query={query} />
        {shown && (isNarrow ? <LineCards {...shown} /> : <LineRows {...shown} isWaiting={query.isPlaceholderData} />)}
        {data?.items.length === 0 && (
          <Empty title={t('app:noMatch')} action={{ label: t('app:clearFilters'), run: list.clear }} />
        )}
      </div>
      <Pager page={list.page} size={list.size} total={data?.total ?? null} onPage={list.setPage} onSize={list.setSize} />
    </>
  )
}

function Filters({ list }: { list: ListState }) {
  const { t } = useTranslation('healthCheck')
  return (
    <div className="list-bar">
      <SearchField label={t('search')} value={list.filter('q')} onChange={(value) => list.setFilter('q', value)} />
      <FilterSelect
        label={t('anyBand')}
        value={list.filter('band')}
        options={[...healthBands.map((value) => ({ value, label: t(`bands.${value}`) })), { value: 'none', label: t('noScore') }]}
        onChange={(value) => list.setFilter('band', value)}
      />
      <FilterSelect
        label={t('anyCategory')}
        value={list.filter('category')}
        options={healthCategories.map((value) => ({ value, label: t(`categories.${value}`) }))}
        onChange={(value) => list.setFilter('category', value)}
      />
    </div>
  )
}
