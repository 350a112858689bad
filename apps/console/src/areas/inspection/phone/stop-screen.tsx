import type { RoundPackage } from '@linewarden/contract'
import { familyOf } from '@linewarden/equipment'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams } from 'react-router'
import { useKept } from '../../../app/offline/kept.ts'
import { phoneRound, phoneStop } from '../../../paths.ts'
import { Empty, Loading } from '../../../ui/body-state.tsx'
import { clockTime, figure } from '../../../ui/format.ts'
import { localised } from '../../../ui/i18n.ts'
import { Icon } from '../../../ui/icon.tsx'
import { byServer } from '../../../ui/use-now.ts'
import { arrive } from './acts.ts'
import { ItemCard } from './item-card.tsx'
import { LockField } from './lock-field.tsx'
import { PhoneScreen } from './phone-screen.tsx'
import type { StopNow } from './round-now.ts'
import { nextStop, roundNow } from './round-now.ts'
import { Fetch } from './round-screen.tsx'
import { ScanButton } from './scan-button.tsx'
import { TorchButton } from './torch-button.tsx'
import { useKeptRound } from './use-kept-rounds.ts'

/** One stop: who arrived how, the minute that nothing there is operated, and what is to be looked at. */
export function StopScreen() {
  const { t } = useTranslation('phoneRounds')
  const { RoundID = '', StopID = '' } = useParams()
  const [kept, readAgain] = useKeptRound(RoundID)
  const entries = useKept((all) => all.entries)
  const stops = kept ? roundNow(kept.pack, entries) : []
  const here = stops.find(({ stop }) => String(stop.StopID) === StopID) ?? null
  return (
    <PhoneScreen
      title={kept?.pack.Round.Name ?? t('title')}
      back={phoneRound(RoundID)}
      tools={
        <>
          <TorchButton />
          <ScanButton roundId={RoundID} />
        </>
      }
      foot={here && kept && <Foot roundId={RoundID} here={here} stops={stops} />}
    >
      {() => (
        <>
          {kept === undefined && <Loading />}
          {kept === null && <Fetch roundId={RoundID} onFetched={readAgain} />}
          {kept && !here && <Empty title={t('noStop')} />}
          {kept && here && <Here key={StopID} pack={kept.pack} here={here} of={stops.length} />}
        </>
      )}
    </PhoneScreen>
  )
}

function Here({ pack, here, of }: { pack: RoundPackage; here: StopNow; of: number }) {
  const { t } = useTranslation('phoneRounds')
  const { stop, items, arrived } = here
  const roundId = pack.Round.RoundID
  return (
    <>
      <div className="phone-head">
        <h2>{stop.Name}</h2>
        <span className="grow" />
        <b>{t('stopOf', { no: stop.StopID, of })}</b>
      </div>
      <p className="phone-where">{[stop.GatewayName, stop.Model].filter(Boolean).join(' · ')}</p>
      <LastValues pack={pack} stopId={stop.StopID} />
      {arrived ? (
        <>
          <p className="phone-where">
            <Icon name="check" />
            {t(`arrived.${arrived.How}`, { time: clockTime(byServer(arrived.PhoneTime)) })}
          </p>
          <LockField stop={stop} />
          <ol className="phone-items">
            {items.map((each, index) => (
              <ItemCard
                key={each.item.ItemID}
                no={index + 1}
                roundId={roundId}
                stop={stop}
                now={each}
                photoOn={pack.Round.PhotoOn}
              />
            ))}
          </ol>
        </>
      ) : (
        <Arrive roundId={roundId} stopId={stop.StopID} />
      )}
    </>
  )
}

/** By the label on the door; from the list only with why it could not be read. */
function Arrive({ roundId, stopId }: { roundId: string; stopId: number }) {
  const { t } = useTranslation('phoneRounds')
  const [isListed, setListed] = useState(false)
  return (
    <section className="phone-arrive" aria-label={t('arrive')}>
      <p>{t('arriveHow')}</p>
      <ScanButton roundId={roundId} stopId={stopId} isLarge />
      {isListed ? (
        <div className="phone-reasons" role="group" aria-label={t('whyList')}>
          <p>{t('whyList')}</p>
          {(['torn', 'covered', 'noLabel', 'noCamera'] as const).map((key) => (
            <button
              type="button"
              key={key}
              className="btn"
              onClick={() => void arrive(roundId, stopId, 'list', t(`whysList.${key}`))}
            >
              {t(`whysList.${key}`)}
            </button>
          ))}
        </div>
      ) : (
        <button type="button" className="btn" onClick={() => setListed(true)}>
          {t('arriveByList')}
        </button>
      )}
    </section>
  )
}

/** A value as its family writes it; null: the family has no such point any more. */
function valueText({ Key, Value }: RoundPackage['Last'][number]['Lines'][number]['Values'][number], list: string): string | null {
  const point = familyOf(list)?.points.find(({ key }) => key === Key)
  return point ? `${localised(point.label)} ${figure(Value, point.precision)} ${point.unit}`.trim() : null
}

/** As they were when the round was fetched: nobody takes them for what is now. */
function LastValues({ pack, stopId }: { pack: RoundPackage; stopId: number }) {
  const { t } = useTranslation('phoneRounds')
  const last = pack.Last.find(({ StopID }) => StopID === stopId)
  const list = pack.Stops.find(({ StopID }) => StopID === stopId)?.List ?? ''
  if (!last || last.Lines.length === 0) return null
  return (
    <details className="phone-last">
      <summary>{t('lastValues', { time: clockTime(pack.ServerTime) })}</summary>
      {last.Lines.map(({ LineNo, Name, Position, At, Values }) => (
        <p key={LineNo}>
          <b>{Name}</b> {t(`positions.${Position ?? 'unknown'}`)}
          <small>
            {Values.flatMap((each) => valueText(each, list) ?? []).join(' · ')}
            {At === null ? ` ${t('neverReported')}` : ` · ${clockTime(At)}`}
          </small>
        </p>
      ))}
    </details>
  )
}

function Foot({ roundId, here, stops }: { roundId: string; here: StopNow; stops: readonly StopNow[] }) {
  const { t } = useTranslation('phoneRounds')
  const navigate = useNavigate()
  const next = nextStop(stops, here.stop.StopID)
  const go = () => navigate(next ? phoneStop(roundId, next.stop.StopID) : phoneRound(roundId), { replace: true })
  return (
    <button
      type="button"
      className="btn primary phone-wide"
      disabled={here.lacking > 0 && here.arrived !== null}
      onClick={() => void go()}
    >
      {here.arrived === null
        ? next && next !== here
          ? t('laterStop')
          : t('toRound')
        : here.lacking > 0
          ? t('stopLacks', { count: here.lacking })
          : next
            ? t('nextStop', { name: next.stop.Name })
            : t('toRound')}
    </button>
  )
}
