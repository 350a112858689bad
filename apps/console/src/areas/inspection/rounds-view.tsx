import type { InspectionRound } from '@linewarden/contract'
import { queryRounds } from '@linewarden/contract'
import { roundKinds, roundStates } from '@linewarden/rules/inspection'
import { keepPreviousData } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { useShown } from '../../app/net/use-failure.ts'
import { FilterChip, ListBar, NoMatch } from '../../plant/list-bar.tsx'
import { useSelection } from '../../plant/selection.ts'
import { Empty } from '../../ui/body-state.tsx'
import { FilterSelect } from '../../ui/fields.tsx'
import { dayTime } from '../../ui/format.ts'
import { localised } from '../../ui/i18n.ts'
import type { ListState } from '../../ui/list-state.ts'
import { Pager } from '../../ui/pager.tsx'
import { useDelayed } from '../../ui/use-delayed.ts'
import type { InspectionAddress } from './address.ts'
import type { sortable } from './filters.ts'
import { filterNames, roundFilter } from './filters.ts'
import { ProgressBar } from './progress-bar.tsx'
import { RoundStateMark } from './state-mark.tsx'

const everyMs = 15_000

/** Rounds with how far they have come. */
export function RoundsView({ list, address }: { list: ListState<(typeof sortable)[number]>; address: InspectionAddress }) {
  const { t } = useTranslation('inspection')
  const [selection] = useSelection()
  const filter = roundFilter(list, selection, useDelayed(list.filter('q'), 300))
  const query = useCall(
    queryRounds,
    { body: { ...filter, ...list.order, Page: list.page, Size: list.size } },
    { placeholderData: keepPreviousData, refetchInterval: everyMs },
  )
  const data = useShown(query)
  const isEmpty = data?.items.length === 0
  const isFiltered = list.filtered || selection.kind !== 'all' || list.page > 1
  return (
    <>
      <ListBar list={list} search={t('search')}>
        <FilterChip list={list} name="mine" value="yes" label={t('mine')} />
        <span className="apart" aria-hidden="true" />
        <FilterSelect
          label={t('anyState')}
          value={list.filter('state')}
          options={roundStates.map((value) => ({ value, label: t(`states.${value}`) }))}
          onChange={(value) => list.setFilter('state', value)}
        />
        <FilterSelect
          label={t('anyKind')}
          value={list.filter('kind')}
          options={roundKinds.map((value) => ({ value, label: t(`kinds.${value}`) }))}
          onChange={(value) => list.setFilter('kind', value)}
        />
      </ListBar>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <div className="list-scroll" tabIndex={0} aria-busy={query.isFetching}>
        <Unloaded query={query} />
        {isEmpty && (isFiltered ? <NoMatch filters={filterNames} /> : <Empty title={t('noRounds')} hint={t('noRoundsHint')} />)}
        {data && !isEmpty && (
          <table
            className={query.isPlaceholderData ? 'list-table round-list waiting' : 'list-table round-list'}
            aria-label={t('views.rounds')}
          >
            <thead>
              <tr>
                <th>{t('round')}</th>
                <th>{t('state')}</th>
                <th className="alone">{t('kind')}</th>
                <th className="alone">{t('inspector')}</th>
                <th>{t('progress')}</th>
                <th className="end">{t('defects')}</th>
                <th className="alone end">{t('dueOrDone')}</th>
              </tr>
            </thead>
            <tbody>
              {data.items.map((round) => (
                <Row key={round.RoundID} round={round} address={address} />
              ))}
            </tbody>
          </table>
        )}
      </div>
      <Pager page={list.page} size={list.size} total={data?.total ?? null} onPage={list.setPage} onSize={list.setSize} />
    </>
  )
}

function Row({ round, address }: { round: InspectionRound; address: InspectionAddress }) {
  const { t } = useTranslation('inspection')
  const isOpen = address.roundId === round.RoundID
  const defects = round.Result?.Defects ?? round.Defects
  return (
    // The button in it does the same by keys; the row is only a larger place to press.
    <tr className={isOpen ? 'opens chosen' : 'opens'} onClick={() => address.show(isOpen ? null : round.RoundID)}>
      <td className="what">
        <span className="two-lines">
          <button type="button" aria-expanded={isOpen}>
            <b>{round.Name}</b>
          </button>
          <small>
            {round.Number} · {round.HouseName}
          </small>
          {round.BrokeOff && <small title={localised(round.BrokeOff.Text)}>{localised(round.BrokeOff.Text)}</small>}
        </span>
      </td>
      <td>
        <RoundStateMark state={round.State} />
      </td>
      <td className="alone">{t(`kinds.${round.Kind}`)}</td>
      <td className="alone people">
        {round.Inspector?.Name ?? (round.Assignees.map(({ Name }) => Name).join(t('and')) || t('nobody'))}
      </td>
      <td>
        <ProgressBar round={round} />
      </td>
      <td className="end">{defects > 0 ? <b>{defects}</b> : 0}</td>
      <td className="alone end">{round.FinishedAt !== null ? dayTime(round.FinishedAt) : (round.DueDay ?? '–')}</td>
    </tr>
  )
}
