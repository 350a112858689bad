import type { EventRecord } from '@linewarden/contract'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../../../app/net/api.ts'
import { useConnectivity } from '../../../app/net/connectivity.ts'
import { useFailure } from '../../../app/net/use-failure.ts'
import { useMayEdit } from '../../../app/session/use-may.ts'
import type { Selection } from '../../../plant/equipment.ts'
import { Empty, Failed } from '../../../ui/body-state.tsx'
import { clockTime, span } from '../../../ui/format.ts'
import { Icon } from '../../../ui/icon.tsx'
import { Outdated } from '../../../ui/outdated.tsx'
import { byServer, useByNow } from '../../../ui/use-now.ts'
import type { Result } from './acts.ts'
import type { AlarmAddress } from './address.ts'
import { isFiltered, withoutFilters } from './address.ts'
import { AlarmTable } from './alarm-table.tsx'
import { AllDialog } from './all-dialog.tsx'
import { BulkBar } from './bulk-bar.tsx'
import { CountedNote } from './counted-note.tsx'
import { FloodStrip } from './flood-strip.tsx'
import { FoldChoice } from './fold-choice.tsx'
import { LastAlarm } from './last-alarm.tsx'
import { OutcomeDialog, useBriefResult } from './outcome-dialog.tsx'
import { sendPending } from './pending.ts'
import { eventsIn } from './rows.ts'
import { SortChoice } from './sort-choice.tsx'
import type { useAlarmList } from './use-alarm-list.ts'
import { waitingFilter } from './use-alarm-list.ts'
import { useUnfolded } from './use-unfolded.ts'

type List = ReturnType<typeof useAlarmList>

/** The list itself: what is known of it as a whole, its rows or why there are none, and what can be done with the chosen ones. */
export function AlarmsListed({
  address,
  change,
  selection,
  list,
}: {
  address: AlarmAddress
  change: (to: Partial<AlarmAddress>) => void
  selection: Selection
  list: List
}) {
  const { t } = useTranslation(['alarmList', 'app'])
  const { query } = list
  const { rows, toggle } = useUnfolded(list, address)
  const events = eventsIn(rows)
  useSendOnLeave()
  const failure = useFailure(query)
  const [chosen, setChosen] = useChosenEvents(list.upTo)
  const retry = () => void query.refetch()
  const isEmpty = query.data !== undefined && !query.isPlaceholderData && rows.length === 0
  return (
    <>
      <CountedNote address={address} change={change} times={list.times} />
      <ListHead address={address} change={change} list={list} />
      <AlarmTable
        address={address}
        change={change}
        rows={failure ? [] : rows}
        onUnfold={toggle}
        waiting={query.isFetching && query.isPlaceholderData}
        busy={query.isFetching}
        chosen={chosen}
        onChosen={setChosen}
        onNeedMore={list.fetchMore}
        loading={query.data === undefined && !failure}
        instead={
          failure ? (
            <Failed message={messageOf(failure)} busy={query.isFetching} retry={retry} />
          ) : isEmpty ? (
            isFiltered(address) ? (
              <Empty
                title={t('app:noMatch')}
                action={{ label: t('app:clearFilters'), run: () => change(withoutFilters(address)) }}
              />
            ) : (
              <LastAlarm past={address.past} selection={selection} />
            )
          ) : null
        }
      />
      {!failure && query.error && query.data && (
        <Outdated problem={messageOf(query.error)} at={byServer(query.dataUpdatedAt)} busy={query.isFetching} retry={retry} />
      )}
      <FloodStrip address={address} change={change} />
      <BulkBar
        events={[...chosen.values()].map((event) => events.find(({ EventID }) => EventID === event.EventID) ?? event)}
        onClear={() => setChosen(new Map())}
        onDone={list.settle}
      />
    </>
  )
}

/** How many there are, how many came since, and from when what is shown is. The bar of arrivals has its place here, so that no row moves. */
function ListHead({ address, change, list }: { address: AlarmAddress; change: (to: Partial<AlarmAddress>) => void; list: List }) {
  const { t } = useTranslation('alarmList')
  const { total, waiting, arrived, begin, query } = list
  const mayEdit = useMayEdit()
  const [asking, setAsking] = useState<{ readonly waiting: number; readonly shown: NonNullable<List['shown']> } | null>(null)
  const [result, setResult] = useState<Result | null>(null)
  const isShownBriefly = useBriefResult()
  return (
    <div className="list-head">
      <span className="counts" role="status">
        {total && <span>{t(list.isGrouped ? 'groups' : total.isExact ? 'total' : 'totalMore', { count: total.count })}</span>}
        {waiting !== null && waiting > 0 && <b>{t('waiting', { count: waiting })}</b>}
        {mayEdit && waiting !== null && waiting > 0 && list.shown !== null && (
          <button type="button" className="btn small" onClick={() => setAsking(list.shown && { waiting, shown: list.shown })}>
            {t('all')}
          </button>
        )}
      </span>
      <span className="middle">
        {arrived > 0 && (
          <button type="button" className="btn small primary arrivals" onClick={begin}>
            {t('arrivals', { count: arrived })}
          </button>
        )}
      </span>
      {query.data && <AsOf at={byServer(query.dataUpdatedAt)} />}
      {address.counted === null && <FoldChoice address={address} onChange={(fold) => change({ fold })} />}
      <SortChoice sort={address.sort} onChange={(sort) => change({ sort })} />
      <button type="button" className="btn small" title={t('refresh')} aria-label={t('refresh')} onClick={begin}>
        <Icon name="refresh" />
      </button>
      {asking && (
        <AllDialog
          {...asking}
          filter={waitingFilter(list.filter)}
          onDone={(done) => {
            if (!isShownBriefly(done)) setResult(done)
            list.settle()
          }}
          onClose={() => setAsking(null)}
        />
      )}
      {result && <OutcomeDialog result={result} events={list.events} onClose={() => setResult(null)} />}
    </div>
  )
}

/** While the server is away what is shown is old, and says how old. */
function AsOf({ at }: { at: number }) {
  const { t } = useTranslation('alarmList')
  const away = useConnectivity(({ awaySince }) => awaySince !== null)
  const age = useByNow((now) => span(now - at))
  if (!away) return null
  return (
    <span className="as-of" role="alert">
      {t('asOfAway', { time: clockTime(at), age })}
    </span>
  )
}

type Chosen = ReadonlyMap<string, EventRecord>

/** The chosen events: of a list that was begun anew none. */
function useChosenEvents(of: string | null): [Chosen, (chosen: Chosen) => void] {
  const [state, setState] = useState<{ readonly of: string | null; readonly chosen: Chosen }>({ of, chosen: new Map() })
  const chosen: Chosen = state.of === of ? state.chosen : new Map()
  return [chosen, (next) => setState({ of, chosen: next })]
}

/** What was swiped away is sent before the page is left, whichever way. */
function useSendOnLeave(): void {
  useEffect(() => {
    const leave = () => sendPending(true)
    addEventListener('pagehide', leave)
    return () => {
      removeEventListener('pagehide', leave)
      sendPending(false)
    }
  }, [])
}
