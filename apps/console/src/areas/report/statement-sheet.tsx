import type { Project, Statement } from '@linewarden/contract'
import {
  cosText,
  draftStatement,
  getStatement,
  hashInGroups,
  kiloText,
  kwhText,
  meanPrice,
  moneyText,
  printStatement,
  quantityText,
  shareText,
  verifyStatement,
  wholeKwh,
  zoneClock,
} from '@linewarden/contract'
import { renminbiInCapitals } from '@linewarden/rules/energy'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../app/net/api.ts'
import { isDownloading } from '../../app/net/download-course.ts'
import { startDownload, useDownload } from '../../app/net/downloads.ts'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { useShown } from '../../app/net/use-failure.ts'
import { ReasonedButton } from '../../app/notify/reasoned-button.tsx'
import { PaperPage } from '../../app/shell/paper.tsx'
import { paths } from '../../paths.ts'
import { language } from '../../ui/i18n.ts'
import { momentText } from '../../ui/moment-text.ts'
import { QrCode } from '../../ui/qr-code.tsx'
import { unitOf } from '../energy/tariff-values.ts'
import { Charges } from './sheet-charges.tsx'
import { Metering } from './sheet-metering.tsx'
import { signed } from './statement-values.ts'
import './statement-sheet.css'

/** An issued statement as it prints, and whether it still is what was issued. */
export function StatementSheetPage(props: {
  house: Project
  statementId: number
  isVerified: boolean
  onBill: () => void
  onBack: () => void
}) {
  const { house, statementId, isVerified, onBill, onBack } = props
  const { t } = useTranslation('statements')
  const query = { HouseID: house.HouseID, StatementID: statementId }
  const found = useCall(getStatement, { query })
  const shown = useShown(found)
  const [isAsked, setAsked] = useState(isVerified)
  const verify = useCall(verifyStatement, { query }, { enabled: isAsked, gcTime: 0 })
  const { data } = verify
  const outcome = data && {
    text: t(data.IsEqual ? 'equal' : 'differs', {
      ...{ number: data.Number, engine: data.Engine, bytes: data.Bytes.toLocaleString('en-US') },
    }),
    isEqual: data.IsEqual,
  }
  return (
    <PaperPage title={t('sheet')} isReady={shown !== undefined} onBack={onBack}>
      <Unloaded query={found} />
      {isAsked && !data && <Unloaded query={verify} />}
      <div className="sheet-notes" role="status">
        {outcome && <p className={outcome.isEqual ? 'sheet-equal' : 'sheet-differs'}>{outcome.text}</p>}
        {shown?.Late && <Late statement={shown} late={shown.Late} />}
      </div>
      {shown && (
        <div className="sheet-tools">
          {!isAsked && (
            <button type="button" className="btn" onClick={() => setAsked(true)}>
              {t('verify')}
            </button>
          )}
          <button type="button" className="btn" onClick={onBill}>
            {t('billCheck')}
          </button>
          <PdfButton house={house} statementId={statementId} />
        </div>
      )}
      {shown && <Sheet statement={shown} />}
    </PaperPage>
  )
}

/** The same as a file, made by the server: its text can be searched, and its code leads to where it is verified. */
function PdfButton({ house, statementId }: { house: Project; statementId: number }) {
  const { t } = useTranslation('statements')
  const isBusy = useDownload((state) => isDownloading(state.current))
  const body = () => ({ HouseID: house.HouseID, StatementID: statementId, Language: language() })
  return (
    <ReasonedButton
      className="btn"
      reason={isBusy ? t('otherDownload') : null}
      onClick={() => void startDownload(() => api.call(printStatement, { body: body() }))}
    >
      {t('pdf')}
    </ReasonedButton>
  )
}

function Late({ statement, late }: { statement: Statement; late: NonNullable<Statement['Late']> }) {
  const { t, i18n } = useTranslation('statements')
  const unit = statement.Currency ? unitOf(statement.Currency, i18n.language) : ''
  const kwh = late.Wh > 0 ? t('late', { kwh: signed(kwhText(late.Wh)) }) : t('lateLess', { kwh: kwhText(-late.Wh) })
  const fee = late.Fee === null ? [] : [t('lateFee', { fee: signed(moneyText(late.Fee)), unit })]
  return <p>{t('sentence', { text: [kwh, ...fee].join(t('and')) })}</p>
}

/** What a statement would say now. It settles nothing. */
export function DraftSheetPage(props: { house: Project; supplyId: number; month: string; onBack: () => void }) {
  const { house, supplyId, month, onBack } = props
  const { t } = useTranslation('statements')
  const found = useCall(draftStatement, { body: { HouseID: house.HouseID, SupplyID: supplyId, Month: month } })
  const shown = useShown(found)
  return (
    <PaperPage title={t('sheet')} isReady={shown !== undefined} onBack={onBack}>
      <Unloaded query={found} />
      {shown && <Sheet statement={shown} />}
    </PaperPage>
  )
}

function Sheet({ statement }: { statement: Statement }) {
  const { t } = useTranslation('statements')
  const clock = (at: number) => momentText('minute', zoneClock(statement.Zone).local(at))
  return (
    <article className="paper statement-sheet" aria-label={t('sheet')}>
      <Head statement={statement} clock={clock} />
      <Who statement={statement} />
      <Metering statement={statement} />
      <Facts statement={statement} clock={clock} />
      <Charges statement={statement} />
      <Total statement={statement} />
      <Known statement={statement} />
      <Foot statement={statement} />
    </article>
  )
}

function Head({ statement, clock }: { statement: Statement; clock: (at: number) => string }) {
  const { t } = useTranslation('statements')
  const { State, IssuedAt, Ended, Successor, Replaces } = statement
  const state =
    State === 'draft'
      ? t('isDraft')
      : State === 'replaced'
        ? t('isReplaced', { number: Successor?.Number ?? '' })
        : State === 'void'
          ? t('isVoid')
          : null
  return (
    <header className="sheet-head">
      <div>
        <h1>{t('sheet')}</h1>
        <p>
          {statement.Month}
          {' · '}
          {t('quarters', { from: statement.From, to: statement.To, zone: statement.Zone, count: statement.Quarters })}
        </p>
      </div>
      <div className="sheet-number">
        <b className={State === 'replaced' || State === 'void' ? 'sheet-struck' : ''}>{statement.Number ?? t('states.draft')}</b>
        {state !== null && <b className="sheet-state">{state}</b>}
        {IssuedAt !== null && <span>{t('issuedAt', { time: clock(IssuedAt) })}</span>}
        {Ended && <span>{t('endedAt', { time: clock(Ended.At), reason: Ended.Reason })}</span>}
        {Replaces && <span>{t('replacesNumber', { number: Replaces.Number })}</span>}
      </div>
    </header>
  )
}

function Who({ statement }: { statement: Statement }) {
  const { t } = useTranslation('statements')
  const { CapacityVa, DeclaredW, Parts } = statement
  const capacity = [
    CapacityVa === null ? null : t('capacityIs', { kva: kiloText(CapacityVa) }),
    DeclaredW === null ? null : t('declaredIs', { kw: kiloText(DeclaredW) }),
  ].filter(Boolean)
  const tariffs = Parts.map(({ Tariff, Number: no, ValidFrom }) => t('tariffIs', { tariff: Tariff, no, from: ValidFrom }))
  const rows = [
    [t('customer'), statement.Project],
    [t('point'), statement.Supply],
    [t('account'), statement.AccountNo || '–'],
    [t('capacity'), capacity.length === 0 ? '–' : capacity.join(', ')],
    [t('tariff'), tariffs.join('; ') || '–'],
    [t('source'), [...new Set(Parts.map(({ Source }) => Source))].join('; ') || '–'],
  ]
  return (
    <dl className="sheet-who">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function Facts({ statement, clock }: { statement: Statement; clock: (at: number) => string }) {
  const { t, i18n } = useTranslation('statements')
  const { Max, CosHundredths, PowerFactorStandard, BilledWh, Currency } = statement
  const unit = Currency ? unitOf(Currency, i18n.language) : ''
  const mean = meanPrice(statement)
  return (
    <dl className="sheet-facts">
      <div>
        <dt>{t('activeEnergy')}</dt>
        <dd>
          <b>{wholeKwh(BilledWh)}</b> kWh
        </dd>
      </div>
      <div>
        <dt>
          {t('maxDemand')} {Max.At === null ? '' : clock(Max.At).slice(5)}
        </dt>
        <dd>
          <b>{kiloText(Max.W)}</b> kW {Max.LeftOut > 0 && t('maxLeftOut', { count: Max.LeftOut })}
        </dd>
      </div>
      <div>
        <dt>{t('powerFactor')}</dt>
        <dd>
          <b>{cosText(CosHundredths)}</b>{' '}
          {PowerFactorStandard === null ? t('noStandard') : t('standard', { value: cosText(PowerFactorStandard) })}
          {CosHundredths === null && PowerFactorStandard !== null && `, ${t('notEntered')}`}
        </dd>
      </div>
      <div>
        <dt>{t('meanPrice')}</dt>
        <dd>
          <b>{mean ?? '–'}</b> {mean !== null && `${unit}/kWh`}
        </dd>
      </div>
    </dl>
  )
}

function Total({ statement: { Total: total, Currency } }: { statement: Statement }) {
  const { t, i18n } = useTranslation('statements')
  const isChinese = Currency === 'CNY' && total !== null
  return (
    <p className="sheet-total">
      <b>{t('sum')}</b>
      {isChinese && i18n.language.startsWith('zh') && (
        <span>{t('inCapitals', { text: renminbiInCapitals(BigInt(total.replace('.', ''))) })}</span>
      )}
      <b className="sheet-sum">
        {moneyText(total)} <small>{Currency ? unitOf(Currency, i18n.language) : ''}</small>
      </b>
    </p>
  )
}

/** How well each line is known, in a sentence. */
function Known({ statement }: { statement: Statement }) {
  const { t } = useTranslation('statements')
  const { Members, Quarters, LackingQuarters, Estimates, ByWeekday } = statement
  const sentence = (each: Statement['Members'][number]) => {
    const share = shareText(Quarters === 0 ? null : Math.floor((each.Known * 10_000) / Quarters))
    const parts = [
      t('knownIs', { name: each.Name ?? t('gone'), share, measured: quantityText(String(each.Measured)) }),
      each.Spread > 0 && t('spreadIs', { count: each.Spread }),
      each.Across > 0 && t('acrossIs', { count: each.Across }),
      each.Entered > 0 && t('enteredIs', { count: each.Entered }),
      each.Estimated > 0 && t('estimatedIs', { count: each.Estimated }),
      each.Missing > 0 && t('missingIs', { count: each.Missing }),
      each.Filled > 0 && t('filledIs', { count: each.Filled }),
    ]
    return t('sentence', { text: parts.filter(Boolean).join(t('and')) })
  }
  return (
    <div className="sheet-known">
      {Members.map((each) => (
        <p key={each.LineID}>
          {sentence(each)} {each.Agrees === false && t('sentence', { text: t('disagrees') })}
        </p>
      ))}
      {LackingQuarters > 0 && <p>{t('lackingAre', { count: LackingQuarters })}</p>}
      {Estimates && <p>{t('estimatesAre', { reason: Estimates.Reason, name: Estimates.Issuer ?? '–' })}</p>}
      {ByWeekday && <p>{t('byWeekday')}</p>}
    </div>
  )
}

function Foot({ statement }: { statement: Statement }) {
  const { t } = useTranslation('statements')
  const { StatementID, Number: number, Sha256, Engine } = statement
  const at = new URLSearchParams(window.location.search).get('at')
  const address = `${window.location.origin}${paths.powerReport}?${new URLSearchParams({
    ...(at !== null && { at }),
    statement: String(StatementID),
    verify: '1',
  })}`
  return (
    <footer className="sheet-end">
      <div className="sheet-signatures">
        <span>{t('made')}</span>
        <span>{t('checked')}</span>
        <span>{t('confirmed')}</span>
      </div>
      {Sha256 !== null && number !== null && (
        <div className="sheet-proof">
          <dl>
            <dt>{t('engine')}</dt>
            <dd>engine {Engine}</dd>
            <dt>SHA-256</dt>
            <dd className="sheet-hash">{hashInGroups(Sha256)}</dd>
            <dt>{t('check')}</dt>
            <dd>{t('checkHint')}</dd>
          </dl>
          <QrCode text={address} label={t('check')} />
        </div>
      )}
      <p>{number === null ? t('draftFoot') : t('neverMoves', { number })}</p>
    </footer>
  )
}
