import type { InspectionRound } from '@linewarden/contract'
import { queryRounds, startRound } from '@linewarden/contract'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { callWithToast } from '../../../app/net/call-with-toast.ts'
import { change } from '../../../app/net/change.ts'
import { Unloaded } from '../../../app/net/unloaded.tsx'
import { useCall } from '../../../app/net/use-call.ts'
import { useKept } from '../../../app/offline/kept.ts'
import { useMayEdit } from '../../../app/session/use-may.ts'
import { paths, phoneRound } from '../../../paths.ts'
import { Empty } from '../../../ui/body-state.tsx'
import { Segments } from '../../../ui/fields.tsx'
import { RoundStateMark } from '../state-mark.tsx'
import { PhoneTabs } from './orders/phone-tabs.tsx'
import type { KeptRound } from './packages.ts'
import { dropRound, fetchRound } from './packages.ts'
import { PhoneScreen, useAway } from './phone-screen.tsx'
import { finishId } from './round-now.ts'
import { ScanButton } from './scan-button.tsx'
import { useKeptRounds } from './use-kept-rounds.ts'

const open: readonly InspectionRound['State'][] = ['planned', 'started', 'returned']
const everyMs = 30_000

/** Rounds to walk: those of the server, and those that are on this phone already and need none. */
export function MyRounds() {
  const { t } = useTranslation(['phoneRounds', 'inspection'])
  return (
    <PhoneScreen title={t('title')} back={paths.rounds} tools={<ScanButton />}>
      {() => <Rounds />}
    </PhoneScreen>
  )
}

function Rounds() {
  const { t } = useTranslation(['phoneRounds', 'inspection'])
  const [whose, setWhose] = useState<'mine' | 'all'>('mine')
  const isAway = useAway()
  const query = useCall(
    queryRounds,
    { body: { Kind: 'onSite', Size: 100, ...(whose === 'mine' && { Mine: true }) } },
    { refetchInterval: everyMs },
  )
  const [kept, readAgain] = useKeptRounds()
  useLeaveFinished(kept, readAgain)
  const here = new Map((kept ?? []).map((each) => [each.pack.Round.RoundID, each]))
  const listed = (query.data?.items ?? []).filter(({ State }) => open.includes(State))
  // Of what is on the phone alone the server may have said long ago how it stands.
  const onlyHere = [...here.values()].filter(({ pack }) => !listed.some(({ RoundID }) => RoundID === pack.Round.RoundID))
  const rounds = [...listed, ...onlyHere.map(({ pack }) => pack.Round)]
  return (
    <>
      <PhoneTabs />
      <Segments
        label={t('whose')}
        value={whose}
        options={[
          { value: 'mine', label: t('inspection:mine') },
          { value: 'all', label: t('everybodys') },
        ]}
        onChange={setWhose}
      />
      {!isAway && <Unloaded query={query} />}
      <ul className="phone-list">
        {rounds.map((round) => (
          <Card key={round.RoundID} round={round} kept={here.get(round.RoundID) ?? null} isAway={isAway} onChange={readAgain} />
        ))}
      </ul>
      {rounds.length === 0 && (isAway || query.data) && kept && (
        <Empty title={t(isAway ? 'noneHere' : 'noneToWalk')} hint={t(isAway ? 'noneHereHint' : 'noneToWalkHint')} />
      )}
    </>
  )
}

/** A round that the server has counted as finished leaves the phone by itself. */
function useLeaveFinished(kept: readonly KeptRound[] | undefined, onLeft: () => void): void {
  const entries = useKept((all) => all.entries)
  const over = (kept ?? []).find(({ pack }) =>
    entries.some(({ id, state }) => state === 'held' && id === finishId(pack.Round.RoundID)),
  )
  const roundId = over?.pack.Round.RoundID
  useEffect(() => {
    if (roundId !== undefined) dropRound(roundId).then(onLeft, reportError)
  }, [roundId, onLeft])
}

function Card({
  round,
  kept,
  isAway,
  onChange,
}: {
  round: InspectionRound
  kept: KeptRound | null
  isAway: boolean
  onChange: () => void
}) {
  const { t } = useTranslation(['phoneRounds', 'inspection'])
  const navigate = useNavigate()
  const mayEdit = useMayEdit()
  const [busy, setBusy] = useState(false)
  const isBegun = round.State === 'started'
  const isOver = !open.includes(round.State)
  const start = async () => {
    if (busy) return
    setBusy(true)
    const { HouseID, RoundID } = round
    const begun = isBegun || (await callWithToast(change(startRound, { body: { HouseID, RoundID } })))
    const fetched = begun && (await callWithToast(fetchRound(RoundID)))
    setBusy(false)
    if (fetched) await navigate(phoneRound(RoundID))
  }
  return (
    <li className="phone-card">
      <p className="phone-row">
        <small>{round.Number}</small>
        <span className="grow" />
        <RoundStateMark state={round.State} />
      </p>
      <h2>{round.Name}</h2>
      <p className="phone-row">
        <span>{round.HouseName}</span>
        <span className="grow" />
        <span>{t('inspection:stopProgress', { done: round.StopsDone, of: round.Stops })}</span>
      </p>
      {round.ToDay !== null && !isOver && <small>{t('until', { day: round.ToDay })}</small>}
      {kept && <small>{t('onThisPhone')}</small>}
      <div className="phone-row phone-presses">
        {isOver ? (
          <button
            type="button"
            className="btn"
            onClick={async () => {
              await dropRound(round.RoundID)
              onChange()
            }}
          >
            {t('drop')}
          </button>
        ) : kept ? (
          <button type="button" className="btn primary" onClick={() => navigate(phoneRound(round.RoundID))}>
            {t('goOn')}
          </button>
        ) : (
          <button
            type="button"
            className="btn primary"
            aria-busy={busy}
            disabled={isAway || !mayEdit}
            onClick={() => void start()}
          >
            {isAway ? t('needsNetwork') : t(isBegun ? 'fetch' : 'start')}
          </button>
        )}
      </div>
    </li>
  )
}
