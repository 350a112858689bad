import type { EnergyOrigin, OriginEdge, OriginLine, OriginMeter } from '@linewarden/contract'
import { civilZone } from '@linewarden/rules/automation'
import { useTranslation } from 'react-i18next'
import { projectMoment } from '../../plant/project-moment.ts'
import { momentText } from '../../ui/moment-text.ts'
import { kwhExact, registerText, whyApart } from './origin-values.ts'

type T = ReturnType<typeof useTranslation<'energyOrigin'>>['t']

const exactMoment = (at: number, zone: string): string => momentText('second', civilZone(zone).wallAt(at))

/** The register where a stretch begins and ends, the readings by which it is known, and what it rose by against what the quarters say. */
export function OriginRegisters({ origin, line }: { origin: EnergyOrigin; line: OriginLine }) {
  const { t } = useTranslation('energyOrigin')
  const [opening, closing] = [line.Edges[0], line.Edges.at(-1)]
  const { Zone, From } = origin
  const isGone = line.ReadingsSince !== null && line.ReadingsSince > From
  return (
    <section className="part" aria-label={t('registers')}>
      <h3>{t('registers')}</h3>
      <dl className="origin-edges">
        {opening && <Edge name={t('opening')} edge={opening} zone={Zone} />}
        {closing && <Edge name={t('closing')} edge={closing} zone={Zone} />}
      </dl>
      {line.Meters.length === 0 && opening?.Kwh != null && closing?.Kwh != null && (
        <p className="origin-sum">{riseText(t, registerText(opening.Kwh), registerText(closing.Kwh), 1, line.RegisterWh)}</p>
      )}
      {line.Meters.map((meter) => (
        <MeterRise key={`${meter.Serial} ${meter.From}`} meter={meter} zone={Zone} />
      ))}
      {line.Meters.length > 1 && line.RegisterWh !== null && (
        <p className="origin-sum">{t('riseOfAll', { kwh: kwhExact(line.RegisterWh) })}</p>
      )}
      <Verdict origin={origin} line={line} />
      {line.ReadingsSince === null && <p className="mute">{t('readingsNone')}</p>}
      {isGone && <p className="mute">{t('readingsGone', { since: projectMoment(line.ReadingsSince ?? 0, Zone) })}</p>}
    </section>
  )
}

const riseText = (t: T, opening: string, closing: string, multiplier: number, wh: number | null): string =>
  t('rise', { opening, closing, multiplier, kwh: kwhExact(wh) })

function MeterRise({ meter, zone }: { meter: OriginMeter; zone: string }) {
  const { t } = useTranslation('energyOrigin')
  const { Serial, Multiplier, From, To, Opening, Closing, Wh } = meter
  const facts = [
    Serial === '' ? null : t('meterOf', { serial: Serial }),
    t('multiplierIs', { multiplier: Multiplier }),
    From === null ? null : t('from', { from: projectMoment(From, zone) }),
    To === null ? null : t('until', { to: projectMoment(To, zone) }),
  ]
  return (
    <>
      <p>{facts.filter((fact) => fact !== null).join(' · ')}</p>
      {Opening !== null && Closing !== null && <p className="origin-sum">{riseText(t, Opening, Closing, Multiplier, Wh)}</p>}
    </>
  )
}

function Verdict({ origin: { Wh }, line }: { origin: EnergyOrigin; line: OriginLine }) {
  const { t } = useTranslation('energyOrigin')
  if (Wh === null) return null
  if (line.RegisterWh === null) return <p>{t('unread')}</p>
  const why = whyApart(Wh, line)
  if (why === null) return <p>{t('agrees')}</p>
  return <p>{t('differs', { kwh: kwhExact(Wh), rest: kwhExact(Wh - line.RegisterWh), why: t(why) })}</p>
}

function Edge({ name, edge, zone }: { name: string; edge: OriginEdge; zone: string }) {
  const { t } = useTranslation('energyOrigin')
  return (
    <div>
      <dt>
        {name} <span className="mute">{projectMoment(edge.At, zone)}</span>
      </dt>
      <dd>
        <b>{edge.Kwh === null ? t('unknownThen') : `${registerText(edge.Kwh)} kWh`}</b>
        <span className="mute">{readingText(t, edge, zone)}</span>
      </dd>
    </div>
  )
}

/** By which readings a register is known then. */
export function readingText(t: T, { At, Kwh, Before, After }: OriginEdge, zone: string): string {
  const moment = (at: number) => exactMoment(at, zone)
  if (Before && (Before.At === At || !After)) return t('readAt', { at: moment(Before.At), kwh: registerText(Before.Kwh) })
  if (!Before || !After) return After ? t('readAt', { at: moment(After.At), kwh: registerText(After.Kwh) }) : ''
  const both = {
    before: moment(Before.At),
    first: registerText(Before.Kwh),
    after: moment(After.At),
    second: registerText(After.Kwh),
  }
  return t(Kwh === null ? 'silence' : 'readBetween', both)
}
