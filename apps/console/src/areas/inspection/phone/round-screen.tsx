import type { RoundPackage } from '@linewarden/contract'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useParams } from 'react-router'
import { callWithToast } from '../../../app/net/call-with-toast.ts'
import { toast } from '../../../app/notify/toasts.tsx'
import type { Entry } from '../../../app/offline/entry.ts'
import { useKept } from '../../../app/offline/kept.ts'
import { phoneStop } from '../../../paths.ts'
import { Empty, Loading } from '../../../ui/body-state.tsx'
import { clockMinute } from '../../../ui/format.ts'
import { localised } from '../../../ui/i18n.ts'
import { Icon } from '../../../ui/icon.tsx'
import { byServer } from '../../../ui/use-now.ts'
import { finish } from './acts.ts'
import { FinishDialog } from './finish-dialog.tsx'
import type { KeptRound } from './packages.ts'
import { dropRound, fetchRound } from './packages.ts'
import { PhoneScreen, toRounds, useAway } from './phone-screen.tsx'
import type { StopNow } from './round-now.ts'
import { finishId, roundNow } from './round-now.ts'
import { ScanButton } from './scan-button.tsx'
import { useKeptRound } from './use-kept-rounds.ts'

/** One round: its stops, what each still lacks, and its end. */
export function RoundScreen() {
  const { t } = useTranslation('phoneRounds')
  const { RoundID = '' } = useParams()
  const [kept, readAgain] = useKeptRound(RoundID)
  const entries = useKept((all) => all.entries)
  const stops = kept ? roundNow(kept.pack, entries) : []
  const finishing = entries.find(({ id }) => id === finishId(RoundID)) ?? null
  return (
    <PhoneScreen
      title={kept?.pack.Round.Name ?? t('title')}
      back={toRounds}
      tools={<ScanButton roundId={RoundID} />}
      foot={kept && <Foot pack={kept.pack} stops={stops} finishing={finishing} />}
    >
      {() => (
        <>
          {kept === undefined && <Loading />}
          {kept === null && <Fetch roundId={RoundID} onFetched={readAgain} />}
          {kept && <Stops kept={kept} stops={stops} finishing={finishing} onFetched={readAgain} />}
        </>
      )}
    </PhoneScreen>
  )
}

/** It is not on this phone: it is fetched, where there is a server. */
export function Fetch({ roundId, onFetched }: { roundId: string; onFetched: () => void }) {
  const { t } = useTranslation('phoneRounds')
  const isAway = useAway()
  const [busy, setBusy] = useState(false)
  const fetchIt = async () => {
    setBusy(true)
    if (await callWithToast(fetchRound(roundId))) onFetched()
    setBusy(false)
  }
  return (
    <Empty
      title={t('notHere')}
      hint={t(isAway ? 'noneHereHint' : 'notHereHint')}
      {...(!isAway && { action: { label: t('fetch'), run: () => void fetchIt(), busy } })}
    />
  )
}

function Stops({
  kept,
  stops,
  finishing,
  onFetched,
}: {
  kept: KeptRound
  stops: readonly StopNow[]
  finishing: Entry | null
  onFetched: () => void
}) {
  const { t } = useTranslation(['phoneRounds', 'inspection'])
  const { pack, fetchedAt } = kept
  const isAway = useAway()
  const [busy, setBusy] = useState(false)
  const navigate = useNavigate()
  const isOver = finishing?.state === 'held'
  useEffect(() => {
    if (!isOver) return
    toast('info', t('finished', { number: pack.Round.Number }))
    void dropRound(pack.Round.RoundID).then(() => navigate(toRounds, { replace: true }))
  }, [isOver, pack, navigate, t])
  const again = async () => {
    if (busy) return
    setBusy(true)
    if (await callWithToast(fetchRound(pack.Round.RoundID))) onFetched()
    setBusy(false)
  }
  return (
    <>
      <p className="phone-row phone-facts">
        <span>
          {pack.Round.Number} ·{' '}
          {t('inspection:stopProgress', { done: stops.filter(({ lacking }) => lacking === 0).length, of: stops.length })}
        </span>
        <span className="grow" />
        <button type="button" className="btn quiet" disabled={isAway} aria-busy={busy} onClick={() => void again()}>
          <Icon name="refresh" />
          {t('fetchedAt', { time: clockMinute(byServer(fetchedAt)) })}
        </button>
      </p>
      {finishing?.state === 'waiting' && (
        <p className="phone-note" role="status">
          {t('finishing')}
        </p>
      )}
      {finishing?.why && finishing.state === 'refused' && (
        <p className="phone-note warning" role="alert">
          {localised(finishing.why)}
        </p>
      )}
      <ol className="phone-stops">
        {stops.map(({ stop, items, arrived, lacking }) => (
          <li key={stop.StopID}>
            <Link to={phoneStop(pack.Round.RoundID, stop.StopID)}>
              <span className="no">{stop.StopID}</span>
              <span className="name">
                {stop.Name}
                <small>{stop.GatewayName ?? t(stop.Kind === 'place' ? 'inspection:namedPlace' : 'inspection:gateway')}</small>
              </span>
              <span className="left">
                {lacking === 0 ? <Icon name="check" /> : null}
                {lacking === 0
                  ? t('stopDone')
                  : arrived === null && items.every(({ answer }) => answer === null)
                    ? t('itemsOf', { count: items.length })
                    : t('lacks', { count: lacking })}
              </span>
            </Link>
          </li>
        ))}
      </ol>
    </>
  )
}

function Foot({ pack, stops, finishing }: { pack: RoundPackage; stops: readonly StopNow[]; finishing: Entry | null }) {
  const { t } = useTranslation('phoneRounds')
  const [signing, setSigning] = useState(false)
  const lacking = stops.reduce((sum, each) => sum + each.lacking, 0)
  const signs = pack.Round.Signature !== 'none'
  const isSent = finishing?.state === 'waiting' || finishing?.state === 'held'
  return (
    <>
      <button
        type="button"
        className="btn primary phone-wide"
        disabled={lacking > 0 || isSent}
        onClick={() => (signs ? setSigning(true) : void finish(pack.Round.RoundID, null))}
      >
        {isSent ? t('finishing') : lacking > 0 ? t('finishLacks', { count: lacking }) : t('finish')}
      </button>
      {signing && (
        <FinishDialog
          name={pack.Round.Name}
          onSigned={(strokes) => finish(pack.Round.RoundID, strokes)}
          onClose={() => setSigning(false)}
        />
      )}
    </>
  )
}
