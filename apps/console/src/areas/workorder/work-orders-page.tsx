import { exportWorkOrders, queryWorkOrders } from '@linewarden/contract'
import { priorities } from '@linewarden/equipment'
import { openOrderStatuses, orderTypes } from '@linewarden/rules/workorder'
import { keepPreviousData } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { api } from '../../app/net/api.ts'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { useShown } from '../../app/net/use-failure.ts'
import { ExportMenu } from '../../app/notify/export-menu.tsx'
import { ReasonedButton } from '../../app/notify/reasoned-button.tsx'
import { useMayEdit } from '../../app/session/use-may.ts'
import { paths } from '../../paths.ts'
import { FilterChip, ListBar, NoMatch } from '../../plant/list-bar.tsx'
import { usePlaceName } from '../../plant/place-name.ts'
import { useSelection } from '../../plant/selection.ts'
import { Empty } from '../../ui/body-state.tsx'
import { FilterSelect } from '../../ui/fields.tsx'
import { addTexts } from '../../ui/i18n.ts'
import { Icon } from '../../ui/icon.tsx'
import type { ListState } from '../../ui/list-state.ts'
import { useListState } from '../../ui/list-state.ts'
import { Page } from '../../ui/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { useChosen } from '../../ui/use-chosen.ts'
import { useDelayed } from '../../ui/use-delayed.ts'
import { useNarrow } from '../../ui/use-media.ts'
import { filterNames, orderFilter, sortable } from './filters.ts'
import { HazardsPage } from './hazards-page.tsx'
import { OrderBoard } from './order-board.tsx'
import { OrderCard } from './order-card.tsx'
import { OrderDrawer } from './order-drawer.tsx'
import { OrderForm } from './order-form.tsx'
import { OrderList } from './order-list.tsx'
import { OrderNews } from './order-news.tsx'
import { OrderSheet } from './order-sheet.tsx'
import { OrdersStrip } from './orders-strip.tsx'
import { PersonFilter } from './person-filter.tsx'
import { RulesDrawer } from './rules-drawer.tsx'
import { SeveralBar } from './several-bar.tsx'
import { ShownAsChoice } from './shown-as.tsx'
import { workOrders } from './texts.ts'
import { useOrderAddress } from './use-order-address.ts'
import '../../ui/query-table.css'
import '../../ui/list.css'
import '../../ui/strip.css'
import './work-orders.css'

addTexts({ workOrders })

const everyMs = 30_000
/** So many in each column of the board; the list shows them all. */
const inColumn = 50

/** Orders, and the hazards that they are made for; one order as a sheet on paper. */
export function WorkOrdersPage() {
  const { as, orderId, isSheet, showSheet } = useOrderAddress()
  if (isSheet && orderId !== null) return <OrderSheet orderId={orderId} onBack={() => showSheet(false)} />
  return as === 'hazards' ? <HazardsPage /> : <OrdersPage />
}

/** Who does what until when, and is it proved? As a board or a list; filters, the open order and a new one stand in the address. */
function OrdersPage() {
  const { t } = useTranslation(['workOrders', 'app'])
  const [selection] = useSelection()
  const list = useListState(filterNames, sortable)
  const filter = orderFilter(list, selection, useDelayed(list.filter('q'), 300))
  const { orderId, as, made, isRules, show, write, setAs, showRules } = useOrderAddress()
  const isNarrow = useNarrow()
  const mayEdit = useMayEdit()
  const isBoard = as === 'board' && !isNarrow
  const query = useCall(
    queryWorkOrders,
    {
      body: isBoard
        ? { ...filter, Board: true as const, Size: inColumn }
        : { ...filter, ...list.order, Page: list.page, Size: list.size },
    },
    { placeholderData: keepPreviousData, refetchInterval: everyMs },
  )
  const data = useShown(query)
  const place = usePlaceName()
  const open = data && openOrderStatuses.reduce((sum, status) => sum + data.about.Statuses[status], 0)
  return (
    <Page
      title={t('title')}
      crumb={[place ?? t('allProjects'), ...(open === undefined ? [] : [t('openCount', { count: open })])].join(' · ')}
      tools={
        <>
          <ShownAsChoice />
          {mayEdit && !isNarrow && (
            <button type="button" className="btn" onClick={() => showRules(true)}>
              <Icon name="gear" />
              {t('rules')}
            </button>
          )}
          <ExportMenu
            isEmpty={data?.total === 0}
            ticket={(as) => api.call(exportWorkOrders, { body: { ...filter, ...list.order, ...as } })}
          />
          <ReasonedButton className="btn primary" reason={mayEdit ? null : t('readOnly')} onClick={() => write('place')}>
            <Icon name="plus" />
            {t('add')}
          </ReasonedButton>
        </>
      }
    >
      <OrderNews onOpen={show} />
      {data && open !== undefined && <OrdersStrip open={open} views={data.about.Views} list={list} />}
      <div className={orderId ? 'list-body orders-body detailed' : 'list-body orders-body'}>
        <Filters
          list={list}
          mine={data?.about.Views.mine ?? null}
          // Beside the title a phone has no room for it.
          onRules={mayEdit && isNarrow ? () => showRules(true) : null}
        />
        {data?.items.length === 0 && !list.filtered && list.page === 1 && place === null ? (
          <Empty
            title={t('none')}
            hint={t('noneHint')}
            {...(mayEdit && { action: { label: t('add'), run: () => write('place') } })}
          />
        ) : isBoard ? (
          <>
            <Unloaded query={query} />
            {data && (
              <OrderBoard
                orders={data.items}
                counts={data.about.Columns}
                isWaiting={query.isPlaceholderData}
                open={orderId}
                onOpen={(id) => show(id === orderId ? null : id)}
                onAll={(status) => {
                  list.setFilter('status', status)
                  setAs('list')
                }}
              />
            )}
          </>
        ) : (
          <Rows {...{ query, data, list, isNarrow, orderId, show }} />
        )}
      </div>
      {orderId && <OrderDrawer key={orderId} orderId={orderId} onClose={() => show(null)} />}
      {isRules && <RulesDrawer onClose={() => showRules(false)} />}
      {made !== null && <OrderForm key={made} of={made} onMade={show} onClose={() => write(null)} />}
    </Page>
  )
}

function Rows({
  query,
  data,
  list,
  isNarrow,
  orderId,
  show,
}: {
  query: Parameters<typeof Unloaded>[0]['query'] & { readonly isFetching: boolean; readonly isPlaceholderData: boolean }
  data: { readonly items: Parameters<typeof OrderList>[0]['orders']; readonly total: number } | undefined
  list: ListState
  isNarrow: boolean
  orderId: number | null
  show: (orderId: number | null) => void
}) {
  const { t } = useTranslation('workOrders')
  const onOpen = (id: number) => show(id === orderId ? null : id)
  const mayEdit = useMayEdit()
  const chosen = useChosen(data?.items, ({ OrderID }) => String(OrderID))
  // As they are by now, as far as they are shown.
  const now = chosen.rows.map((row) => data?.items.find(({ OrderID }) => OrderID === row.OrderID) ?? row)
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <div className="list-scroll" tabIndex={0} aria-busy={query.isFetching}>
        <Unloaded query={query} />
        {isNarrow && (
          <Link className="btn large to-phone" to={paths.phoneOrders}>
            {t('toPhone')}
          </Link>
        )}
        {data && data.items.length > 0 && !isNarrow && (
          <OrderList
            orders={data.items}
            isWaiting={query.isPlaceholderData}
            open={orderId}
            choice={mayEdit ? chosen.selection : null}
            onOpen={onOpen}
          />
        )}
        {data && data.items.length > 0 && isNarrow && (
          <ul className="order-cards">
            {data.items.map((order) => (
              <OrderCard
                key={order.OrderID}
                order={order}
                isOpen={order.OrderID === orderId}
                onOpen={() => onOpen(order.OrderID)}
              />
            ))}
          </ul>
        )}
        {data?.items.length === 0 && <NoMatch filters={filterNames} />}
      </div>
      {mayEdit && !isNarrow && <SeveralBar orders={now} onClear={chosen.clear} />}
      <Pager page={list.page} size={list.size} total={data?.total ?? null} onPage={list.setPage} onSize={list.setSize} />
    </>
  )
}

/** The strip above filters by the other views. `mine`: how many are the reader's own; null until it is known. */
function Filters({ list, mine, onRules }: { list: ListState; mine: number | null; onRules: (() => void) | null }) {
  const { t } = useTranslation('workOrders')
  return (
    <ListBar list={list} search={t('search')}>
      <FilterChip list={list} name="view" value="mine" label={[t('views.mine'), mine].join(' ').trim()} />
      <span className="apart" aria-hidden="true" />
      <FilterSelect
        label={t('anyPriority')}
        value={list.filter('priority')}
        options={priorities.map((value) => ({ value, label: t(`priorities.${value}`) }))}
        onChange={(value) => list.setFilter('priority', value)}
      />
      <FilterSelect
        label={t('anyType')}
        value={list.filter('type')}
        options={orderTypes.map((value) => ({ value, label: t(`types.${value}`) }))}
        onChange={(value) => list.setFilter('type', value)}
      />
      <PersonFilter value={list.filter('person')} onChange={(value) => list.setFilter('person', value)} />
      {onRules && (
        <button type="button" className="btn" onClick={onRules}>
          <Icon name="gear" />
          {t('rules')}
        </button>
      )}
    </ListBar>
  )
}
