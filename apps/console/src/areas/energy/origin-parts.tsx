import type { EnergyOrigin, OriginPart, OriginVersion } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { span } from '../../ui/format.ts'
import type { OriginPlace } from './origin-address.ts'
import { kwhExact } from './origin-values.ts'

/** The lines, or virtual meters, that a figure is added up of; each opens into its own registers. */
export function OriginParts({ origin, onOpen }: { origin: EnergyOrigin; onOpen: (part: OriginPlace['part']) => void }) {
  const { t } = useTranslation('energyOrigin')
  const { Boundary, Parts, More, Fed } = origin
  const title = t(Boundary === 'supply' ? 'partsOfSupply' : Boundary === 'virtual' ? 'partsOfVirtual' : 'partsOfFeed')
  const hasFactors = Parts.some(({ Factor }) => Factor !== 1)
  return (
    <section className="part" aria-label={title}>
      <h3>{title}</h3>
      {Parts.length === 0 && <p className="mute">{t('noParts')}</p>}
      {Parts.length > 0 && (
        <table className="energy-table">
          <thead>
            <tr>
              <th scope="col">{t('part')}</th>
              {hasFactors && (
                <th scope="col" className="num">
                  {t('factor')}
                </th>
              )}
              <th scope="col" className="num">
                {t('stepKwh')}
              </th>
            </tr>
          </thead>
          <tbody>
            {Parts.map((part) => (
              <tr key={`${part.LineID} ${part.MeterID}`}>
                <th scope="row">
                  <PartName part={part} onOpen={onOpen} />
                </th>
                {hasFactors && (
                  <td className="num">{part.Factor > 0 ? `+${part.Factor}` : String(part.Factor).replace('-', '−')}</td>
                )}
                <td className="num">{kwhExact(part.Wh)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {More > 0 && <p className="mute">{t('more', { count: More })}</p>}
      {Fed > 0 && <p className="mute">{t('fed', { count: Fed })}</p>}
    </section>
  )
}

function PartName({ part, onOpen }: { part: OriginPart; onOpen: (part: OriginPlace['part']) => void }) {
  const { t } = useTranslation('energyOrigin')
  const { LineID, MeterID, Name, GatewayName, Dates, UnknownS } = part
  if (Name === '') return <span className="mute">{t('elsewhere')}</span>
  const to = LineID === null ? ({ kind: 'virtual', id: MeterID ?? 0 } as const) : ({ kind: 'line', id: LineID } as const)
  const facts = [
    GatewayName,
    Dates === null ? '' : t('someDates', { count: Dates }),
    UnknownS !== null && UnknownS > 0 ? t('unknownFor', { time: span(UnknownS * 1_000) }) : '',
  ].filter((fact) => fact !== '')
  return (
    <>
      <button type="button" className="energy-open" onClick={() => onOpen(to)}>
        {Name}
      </button>
      {facts.length > 0 && <small className="mute">{facts.join(' · ')}</small>}
    </>
  )
}

/** What prices the dates of a supply, with the notice that it follows and the hash of what was published. */
export function OriginVersions({ versions }: { versions: readonly OriginVersion[] }) {
  const { t } = useTranslation('energyOrigin')
  return (
    <section className="part" aria-label={t('versions')}>
      <h3>{t('versions')}</h3>
      {versions.length === 0 && <p className="mute">{t('noVersion')}</p>}
      <ul className="origin-list">
        {versions.map((version) => (
          <li key={`${version.VersionID} ${version.From}`}>
            <p>
              <b>{t('versionIs', { tariff: version.Tariff, number: version.Number })}</b> {version.From} – {version.To}
            </p>
            <p className="mute">{version.Source}</p>
            {version.Sha256 !== null && <p className="mute origin-hash">SHA-256 {version.Sha256}</p>}
          </li>
        ))}
      </ul>
      {versions.length > 0 && <p className="mute">{t('rule')}</p>}
    </section>
  )
}
