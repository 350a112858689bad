import type { InspectionRound, RoundDetails } from '@linewarden/contract'
import { getRound } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { Drawer } from '../../ui/drawer.tsx'
import { clockMinute, dayTime } from '../../ui/format.ts'
import { localised } from '../../ui/i18n.ts'
import { Icon } from '../../ui/icon.tsx'
import type { InspectionAddress } from './address.ts'
import { FoundList } from './found-list.tsx'
import { OnlineResult } from './online-result.tsx'
import { RoundActs } from './round-acts.tsx'
import { fineOf, stopCounts, toLookAt } from './round-facts.ts'
import { SignatureDrawing } from './signature.tsx'
import { RoundStateMark } from './state-mark.tsx'

const runningMs = 2_000
const everyMs = 15_000

/** One round: what is wrong first, then the whole stops, who signed, and what can be done now. */
export function RoundDrawer({ roundId, address }: { roundId: string; address: InspectionAddress }) {
  const { t } = useTranslation('inspection')
  const query = useCall(
    getRound,
    { params: { RoundID: roundId } },
    {
      refetchInterval: ({ state: { data } }) =>
        data?.Round.State !== 'started' ? false : data.Round.Kind === 'online' ? runningMs : everyMs,
    },
  )
  const onClose = () => address.show(null)
  const { data } = query
  if (!data)
    return (
      <Drawer label={t('details')} title={<h2>{t('details')}</h2>} onClose={onClose}>
        <Unloaded query={query} />
      </Drawer>
    )
  const { Round: round } = data
  return (
    <Drawer
      label={t('details')}
      title={
        <>
          <h2>{round.Name}</h2>
          <RoundStateMark state={round.State} />
          {round.SheetHash !== null && (
            <button
              type="button"
              className="btn quiet"
              aria-label={t('print')}
              title={t('print')}
              onClick={() => address.showSheet(true)}
            >
              <Icon name="page" />
            </button>
          )}
        </>
      }
      subtitle={<p className="mute">{subtitleOf(round, t)}</p>}
      foot={<RoundActs round={round} />}
      onClose={onClose}
    >
      <div className="drawer-parts">
        <Unloaded query={query} />
        <Figures round={round} />
        {(round.Reason !== '' || round.BrokeOff) && (
          <section className="part" aria-label={t('reason')}>
            <h3>{t('reason')}</h3>
            <p>{round.BrokeOff ? localised(round.BrokeOff.Text) : round.Reason}</p>
          </section>
        )}
        {round.BrokeOff ? null : round.Kind === 'online' ? <OnlineResult round={round} /> : <OnSite details={data} />}
      </div>
    </Drawer>
  )
}

const subtitleOf = (
  { Number: number, Kind, HouseName, Inspector, StartedAt, FinishedAt, DueDay, ToDay }: InspectionRound,
  t: ReturnType<typeof useTranslation<'inspection'>>['t'],
): string =>
  [
    number,
    HouseName,
    t(`kinds.${Kind}`),
    Inspector?.Name ?? '',
    StartedAt === null ? '' : `${dayTime(StartedAt)}${FinishedAt === null ? '' : ` – ${clockMinute(FinishedAt, StartedAt)}`}`,
    StartedAt === null && DueDay !== null ? t('dueUntil', { due: DueDay, until: ToDay ?? DueDay }) : '',
  ]
    .filter((part) => part !== '')
    .join(' · ')

function Figures({ round }: { round: InspectionRound }) {
  const { t } = useTranslation('inspection')
  const figures: readonly (readonly [string, string | number, boolean])[] =
    round.Kind === 'online'
      ? [
          [t('grades.defect'), round.Result?.Defects ?? '–', true],
          [t('grades.unknown'), round.Result?.Unknown ?? '–', true],
          [t('grades.ok'), round.Result?.Ok ?? '–', false],
          [t('lines'), `${round.Done} / ${round.Lines}`, false],
        ]
      : [
          [t('results.defect'), round.Defects, true],
          [t('results.impossible'), round.Impossible, true],
          [t('results.ok'), fineOf(round), false],
          [t('stopsAndItems'), `${round.Stops} / ${round.Items}`, false],
        ]
  return (
    <dl className="round-figures">
      {figures.map(([name, value, isStrong]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{isStrong ? <b>{value}</b> : value}</dd>
        </div>
      ))}
    </dl>
  )
}

function OnSite({ details }: { details: RoundDetails }) {
  const { t } = useTranslation('inspection')
  const { Round: round } = details
  const odd = toLookAt(details)
  const counts = stopCounts(details)
  const rest = counts.filter(({ isOdd }) => !isOdd)
  return (
    <>
      {round.State === 'started' && (
        <p className="round-note">
          {t('stopProgress', { done: round.StopsDone, of: round.Stops })}
          {round.PhotosMissing > 0 && ` · ${t('photosMissing', { count: round.PhotosMissing })}`}
          {round.Flagged > 0 && ` · ${t('flagged', { count: round.Flagged })}`}
        </p>
      )}
      {odd.length > 0 && (
        <section className="part" aria-label={t('oddFirst')}>
          <h3>
            {t('oddFirst')} <small>{t('lookFirst')}</small>
          </h3>
          <FoundList round={round} found={odd} />
        </section>
      )}
      {round.StartedAt === null && <p className="round-note">{t('notStarted')}</p>}
      <section className="part" aria-label={t('restStops')}>
        <h3>{odd.length === 0 ? t('stopCount', { count: rest.length }) : t('otherStops', { count: rest.length })}</h3>
        <ul className="round-stops">
          {rest.map(({ stop, fine, items }) => (
            <li key={stop.StopID}>
              <span>{stop.StopID}</span>
              <span>{stop.Name}</span>
              <span>
                {fine} / {items}
              </span>
              <i>
                {stop.Arrived ? `${t(`ways.${stop.Arrived.How}`)} ${clockMinute(stop.Arrived.ServerTime)}` : t('missing.arrival')}
              </i>
            </li>
          ))}
        </ul>
      </section>
      {(round.FinishedAt !== null || details.InspectorSignature) && <Signatures details={details} />}
    </>
  )
}

function Signatures({ details: { Round: round, InspectorSignature, ApproverSignature } }: { details: RoundDetails }) {
  const { t } = useTranslation('inspection')
  return (
    <section className="part" aria-label={t('signed')}>
      <div className="round-signatures">
        <div>
          <p>
            {[t('inspector'), round.Inspector?.Name ?? '', round.FinishedAt === null ? '' : dayTime(round.FinishedAt)]
              .filter(Boolean)
              .join(' · ')}
          </p>
          {InspectorSignature && <SignatureDrawing signature={InspectorSignature} label={t('inspector')} />}
        </div>
        <div>
          <p>
            {[t('approver'), round.Approver?.Name ?? '', round.DecidedAt === null ? '' : dayTime(round.DecidedAt)]
              .filter(Boolean)
              .join(' · ')}
          </p>
          {ApproverSignature ? (
            <SignatureDrawing signature={ApproverSignature} label={t('approver')} />
          ) : (
            round.Approver === null && <p className="mute">{t('notInspector')}</p>
          )}
        </div>
      </div>
      {round.SheetHash !== null && (
        <p className="round-hash mute">
          SHA-256 {round.SheetHash.slice(0, 4)} {round.SheetHash.slice(4, 8)} … {round.SheetHash.slice(-4)}
        </p>
      )}
    </section>
  )
}
