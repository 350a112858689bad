import type { Hazard } from '@linewarden/contract'
import { exportHazards, queryHazards } from '@linewarden/contract'
import { priorities } from '@linewarden/equipment'
import type { HazardState } from '@linewarden/rules/hazard'
import { hazardSources } from '@linewarden/rules/hazard'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { api } from '../../app/net/api.ts'
import { keyOf } from '../../app/net/keys.ts'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { ExportMenu } from '../../app/notify/export-menu.tsx'
import { ListBar, NoMatch } from '../../plant/list-bar.tsx'
import { usePlaceName } from '../../plant/place-name.ts'
import { useSelection } from '../../plant/selection.ts'
import { Empty } from '../../ui/body-state.tsx'
import { FilterSelect } from '../../ui/fields.tsx'
import { addTexts } from '../../ui/i18n.ts'
import type { ListState } from '../../ui/list-state.ts'
import { useListState } from '../../ui/list-state.ts'
import { Page } from '../../ui/page.tsx'
import { useDelayed } from '../../ui/use-delayed.ts'
import { useNarrow } from '../../ui/use-media.ts'
import { HazardDrawer } from './hazard-drawer.tsx'
import type { HazardFilter } from './hazard-filters.ts'
import { hazardFilter, hazardFilterNames } from './hazard-filters.ts'
import { HazardCards, HazardList } from './hazard-list.tsx'
import { hazards } from './hazard-texts.ts'
import { OrderForm } from './order-form.tsx'
import { ShownAsChoice } from './shown-as.tsx'
import { useOrderAddress } from './use-order-address.ts'

addTexts({ hazards })

const everyMs = 30_000
const atOnce = 50
const shownStates = ['open', 'ordered', 'verifying', 'accepted', 'gone'] as const satisfies readonly HazardState[]

/** What is wrong, who sees to it, and is it proved to be gone? The gravest first; filters and the open one stand in the address. */
export function HazardsPage() {
  const { t } = useTranslation(['hazards', 'workOrders'])
  const [selection] = useSelection()
  const list = useListState(hazardFilterNames)
  const filter = hazardFilter(list, selection, useDelayed(list.filter('q'), 300))
  const { hazardId, made, showHazard, showOrder, write } = useOrderAddress()
  const isNarrow = useNarrow()
  const query = useHazards(filter)
  const first = query.data?.pages[0]
  const rows = query.data?.pages.flatMap(({ items }) => items) ?? []
  const place = usePlaceName()
  const onOpen = (id: number) => showHazard(id === hazardId ? null : id)
  const there = first && shownStates.reduce((sum, state) => sum + (state === 'gone' ? 0 : first.about.States[state]), 0)
  return (
    <Page
      title={t('title')}
      crumb={[place ?? t('workOrders:allProjects'), ...(there === undefined ? [] : [t('thereCount', { count: there })])].join(
        ' · ',
      )}
      tools={
        <>
          <ShownAsChoice />
          <ExportMenu
            isEmpty={first !== undefined && rows.length === 0}
            ticket={(as) => api.call(exportHazards, { body: { ...filter, ...as } })}
          />
        </>
      }
    >
      {first && <HazardsStrip states={first.about.States} list={list} />}
      <div className={hazardId ? 'list-body orders-body detailed' : 'list-body orders-body'}>
        <Filters list={list} />
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
        <div className="list-scroll" tabIndex={0} aria-busy={query.isFetching}>
          <Unloaded query={query} />
          <Rows {...{ rows, isNarrow, isWaiting: query.isPlaceholderData, open: hazardId, onOpen }} />
          {first &&
            rows.length === 0 &&
            (list.filtered || place !== null ? <NoMatch filters={hazardFilterNames} /> : <Nothing />)}
          {query.hasNextPage && (
            <button
              type="button"
              className="btn quiet order-more"
              aria-busy={query.isFetchingNextPage}
              onClick={() => query.isFetching || void query.fetchNextPage()}
            >
              {t('more')}
            </button>
          )}
        </div>
      </div>
      {hazardId && <HazardDrawer key={hazardId} hazardId={hazardId} onClose={() => showHazard(null)} />}
      {made !== null && <OrderForm key={made} of={made} onMade={showOrder} onClose={() => write(null)} />}
    </Page>
  )
}

function useHazards(filter: HazardFilter) {
  return useInfiniteQuery({
    queryKey: [...keyOf(queryHazards, { body: filter }), 'pages'],
    queryFn: ({ pageParam, signal }) =>
      api.call(queryHazards, { body: { ...filter, Size: atOnce, ...(pageParam !== null && { Before: pageParam }) } }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ about }) => about.Next,
    placeholderData: keepPreviousData,
    refetchInterval: everyMs,
  })
}

function Rows({
  rows,
  isNarrow,
  isWaiting,
  open,
  onOpen,
}: {
  rows: readonly Hazard[]
  isNarrow: boolean
  isWaiting: boolean
  open: number | null
  onOpen: (hazardId: number) => void
}) {
  if (rows.length === 0) return null
  return isNarrow ? (
    <HazardCards hazards={rows} open={open} onOpen={onOpen} />
  ) : (
    <HazardList hazards={rows} isWaiting={isWaiting} open={open} onOpen={onOpen} />
  )
}

function Nothing() {
  const { t } = useTranslation('hazards')
  return <Empty title={t('none')} hint={t('noneHint')} />
}

/** How many there are of each state: one press shows them alone. */
function HazardsStrip({ states, list }: { states: Readonly<Record<HazardState, number>>; list: ListState }) {
  const { t } = useTranslation('workOrders')
  return (
    <div className="strip orders-strip">
      {shownStates.map((state) => {
        const isOn = list.filter('state') === state
        return (
          <button type="button" key={state} aria-pressed={isOn} onClick={() => list.setFilter('state', isOn ? '' : state)}>
            <span className="state">{t(`hazards.${state}`)}</span>
            <b>{states[state]}</b>
          </button>
        )
      })}
    </div>
  )
}

function Filters({ list }: { list: ListState }) {
  const { t } = useTranslation('hazards')
  return (
    <ListBar list={list} search={t('search')}>
      <FilterSelect
        label={t('anyLevel')}
        value={list.filter('level')}
        options={priorities.map((value) => ({ value, label: t(`levels.${value}`) }))}
        onChange={(value) => list.setFilter('level', value)}
      />
      <FilterSelect
        label={t('anySource')}
        value={list.filter('source')}
        options={hazardSources.map((value) => ({ value, label: t(`sources.${value}`) }))}
        onChange={(value) => list.setFilter('source', value)}
      />
    </ListBar>
  )
}
