import type { RoundDetails, RoundSheet } from '@linewarden/contract'
import { getRound, roundSheet } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { useShown } from '../../app/net/use-failure.ts'
import { Paper, PaperPage } from '../../app/shell/paper.tsx'
import { roundDetails } from '../../paths.ts'
import { localised } from '../../ui/i18n.ts'
import { QrCode } from '../../ui/qr-code.tsx'
import { zonedTime } from '../../ui/zoned-time.ts'
import { rangeText } from './item-words.ts'
import type { Found } from './round-facts.ts'
import { fineOf, found, toLookAt } from './round-facts.ts'
import { SignatureDrawing } from './signature.tsx'
import './round-sheet.css'

/** The sheet of a finished round: what was signed then, and nothing of now. No colour stands on it. */
export function RoundSheetPage({ roundId, onBack }: { roundId: string; onBack: () => void }) {
  const { t } = useTranslation('inspection')
  const sheet = useCall(roundSheet, { params: { RoundID: roundId } })
  // Who approved it is decided after the sheet was signed.
  const round = useCall(getRound, { params: { RoundID: roundId } })
  const [known, details] = [useShown(sheet), useShown(round)]
  return (
    <PaperPage title={t('sheetTitle')} isReady={known !== undefined} onBack={onBack}>
      <Unloaded query={sheet} />
      {known && <Unloaded query={round} />}
      {known && details && <Sheet sheet={known} now={details} />}
    </PaperPage>
  )
}

type Signed = Pick<RoundDetails, 'Round' | 'Stops' | 'Checklists' | 'Answers' | 'InspectorSignature'>

function Sheet({ sheet, now }: { sheet: RoundSheet; now: RoundDetails }) {
  const { t } = useTranslation('inspection')
  const signed: Signed = { ...now, ...(JSON.parse(sheet.Text) as Partial<Signed>) }
  const { Round: round } = now
  return (
    <Paper
      className="round-sheet"
      title={t('sheetTitle')}
      about={[round.HouseName, round.Name]}
      number={t('number', { number: sheet.Number })}
      foot={[sheet.Number, t('revision', { count: sheet.Revision }), `SHA-256 ${sheet.Hash}`]}
    >
      <Summary signed={signed} now={now} />
      <Odd signed={signed} />
      <Stops signed={signed} />
      <SheetSignatures sheet={sheet} signed={signed} now={now} />
    </Paper>
  )
}

function Summary({ signed, now: { Round: round } }: { signed: Signed; now: RoundDetails }) {
  const { t } = useTranslation('inspection')
  const zoned = (at: number | null) => (at === null ? '–' : zonedTime(at, round.TimeZone))
  const figures = [
    [t('results.defect'), round.Defects],
    [t('results.impossible'), round.Impossible],
    [t('results.ok'), fineOf(round)],
    [t('stops'), signed.Stops.length],
    [t('items'), round.Items],
  ] as const
  return (
    <>
      <dl className="paper-figures">
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <b>{value}</b>
            </dd>
          </div>
        ))}
      </dl>
      <p className="paper-facts">
        <span>{t('startedAt', { time: zoned(round.StartedAt) })}</span>
        <span>{t('finishedAt', { time: zoned(round.FinishedAt) })}</span>
        <span>{round.TimeZone}</span>
        {round.DueDay !== null && <span>{t('dueUntil', { due: round.DueDay, until: round.ToDay ?? round.DueDay })}</span>}
        <span>{t(`photosOn.${round.PhotoOn}`)}</span>
      </p>
    </>
  )
}

function Odd({ signed }: { signed: Signed }) {
  const { t } = useTranslation('inspection')
  const odd = toLookAt(signed)
  return (
    <>
      <h2>{t('oddFirst')}</h2>
      {odd.length === 0 && <p>{t('nothingOdd')}</p>}
      {odd.map((each) => (
        <SheetItem key={keyOf(each)} found={each} withStop />
      ))}
    </>
  )
}

const keyOf = ({ stop, item, answer }: Found): string => `${stop.StopID} ${item.ItemID} ${answer.PhoneID} ${answer.Rev}`

function SheetItem({ found: { stop, item, answer }, withStop = false }: { found: Found; withStop?: boolean }) {
  const { t } = useTranslation('inspection')
  const choice = item.Choices.find(({ Choice }) => Choice === answer.Choice)
  const parts = [
    withStop ? `${t('stopNo', { count: stop.StopID })} ${stop.Name}` : '',
    answer.Value === null ? '' : `${answer.Value} ${item.Unit}`.trim(),
    rangeText(item) === '' ? '' : t('asked', { range: rangeText(item) }),
    choice ? localised(choice.Text) : '',
    answer.Note,
    answer.Flagged ? t('flaggedOne', { person: answer.Person, result: t(`results.${answer.Result}`) }) : '',
    answer.Photos.length > 0 ? t('photoCount', { count: answer.Photos.length }) : '',
  ]
  return (
    <p className="sheet-item">
      <b>{t(`results.${answer.Result}`)}</b>
      <span>
        {localised(item.Text)}
        <small>{parts.filter((part) => part !== '').join(' · ')}</small>
      </span>
    </p>
  )
}

/** Each stop with every item; one stop is not cut in two where it fits on a page. */
function Stops({ signed }: { signed: Signed }) {
  const { t } = useTranslation('inspection')
  const byStop = Map.groupBy(
    found(signed).filter(({ answer }) => answer.Counts),
    ({ stop }) => stop.StopID,
  )
  return (
    <>
      <h2>{t('everyStop')}</h2>
      {signed.Stops.map((stop) => (
        <section key={stop.StopID} className="paper-section" aria-label={stop.Name}>
          <h3>
            {stop.StopID}. {stop.Name}
            <small>
              {[
                stop.GatewayName ?? '',
                stop.Model ?? '',
                stop.Arrived
                  ? `${t(`ways.${stop.Arrived.How}`)} ${zonedTime(stop.Arrived.ServerTime, signed.Round.TimeZone)} ${stop.Arrived.Person}${stop.Arrived.Reason === '' ? '' : t('because', { reason: stop.Arrived.Reason })}`
                  : t('missing.arrival'),
              ]
                .filter((part) => part !== '')
                .join(' · ')}
            </small>
          </h3>
          {(byStop.get(stop.StopID) ?? []).map((each) => (
            <SheetItem key={keyOf(each)} found={each} />
          ))}
        </section>
      ))}
    </>
  )
}

function SheetSignatures({ sheet, signed, now }: { sheet: RoundSheet; signed: Signed; now: RoundDetails }) {
  const { t } = useTranslation('inspection')
  const { Round: round } = now
  const approved = sheet.Approved
  return (
    <div className="paper-signatures round-signed">
      <div>
        {signed.InspectorSignature && <SignatureDrawing signature={signed.InspectorSignature} label={t('inspector')} />}
        <p>
          {t('inspector')} {round.Inspector?.Name ?? ''}
        </p>
      </div>
      <div>
        {approved?.Signature && <SignatureDrawing signature={approved.Signature} label={t('approver')} />}
        <p>
          {t('approver')} {approved ? `${approved.Person} · ${zonedTime(approved.At, round.TimeZone)}` : t('notApproved')}
        </p>
      </div>
      <QrCode text={`${location.origin}${roundDetails(round.RoundID)}`} label={t('verifyCode')} />
    </div>
  )
}
