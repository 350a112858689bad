import { useTranslation } from 'react-i18next'
import { figure } from '../../../ui/format.ts'
import { Picture, ValueAxis } from './axes.tsx'
import './charts.css'
import type { ContactFacts, ContactPhase } from './contact-picture.ts'
import { contactDays, contactPicture, opacityOf } from './contact-picture.ts'

const height = 268

/** What the phases and the neutral are called on terminals, by the standard of the project. */
export const phaseNames = (iec: boolean): Readonly<Record<ContactPhase, string>> =>
  iec ? { a: 'L1', b: 'L2', c: 'L3', n: 'N' } : { a: 'A', b: 'B', c: 'C', n: 'N' }

/** Temperature rise against the heat of the current: what one terminal exceeds its neighbours by, whatever flows. */
export function ContactChart({ facts, iec }: { facts: ContactFacts; iec: boolean }) {
  const { t } = useTranslation('warning')
  return (
    <Picture label={t('riseOverSquare')} height={height}>
      {(width) => <ContactPicture facts={facts} iec={iec} width={width} />}
    </Picture>
  )
}

function ContactPicture({ facts, iec, width }: { facts: ContactFacts; iec: boolean; width: number }) {
  const { t } = useTranslation('warning')
  const { phase, ratedA, othersK, excessK, usualLoad } = facts
  const { left, right, top, bottom, x, y, loads, hours, ownEnd, othersEnd, usual } = contactPicture(facts, width, height)
  const name = phaseNames(iec)
  const others = [...new Set(facts.hours.map((hour) => hour.phase))].filter((each) => each !== phase).toSorted()
  const rated = x(1)
  return (
    <>
      <text x={0} y={13}>
        {t('riseAxis')}
      </text>
      <ValueAxis scale={y} left={left} right={right} />
      {loads.map((load) => (
        <g key={load}>
          <path className="grid" d={`M${x(load)} ${top}V${bottom}`} />
          <text x={x(load)} y={bottom + 16} textAnchor="middle">
            {load}
          </text>
          {load > 0 && (
            <text x={x(load)} y={bottom + 32} textAnchor="middle">
              {figure(Math.sqrt(load) * ratedA, 0)}
            </text>
          )}
        </g>
      ))}
      <text x={right + 24} y={bottom + 16}>
        (I / In)²
      </text>
      <text x={right + 24} y={bottom + 32}>
        A
      </text>
      {hours.map((hour, index) => (
        <circle
          // biome-ignore lint/suspicious/noArrayIndexKey: hours stay where they are.
          key={index}
          className={`hour phase-${hour.phase}`}
          cx={x(hour.load).toFixed(1)}
          cy={y.at(hour.riseK).toFixed(1)}
          r={hour.phase === phase ? 3 : 1.6}
          opacity={opacityOf(hour.age)}
        />
      ))}
      <path className={`own-fit phase-${phase}`} d={`M${left} ${bottom}L${rated} ${ownEnd}`} />
      <path className="others-fit" d={`M${left} ${bottom}L${rated} ${othersEnd}`} />
      <path className="bracket" d={`M${rated + 3} ${ownEnd}h5V${othersEnd}h-5`} />
      <text className={`phase ground phase-${phase}`} x={rated + 14} y={ownEnd + 4}>
        {name[phase]} {figure(othersK + excessK, 1)} K
      </text>
      <text className="strong ground" x={rated + 14} y={(ownEnd + othersEnd) / 2 + 4}>
        E {figure(excessK, 1)} K
      </text>
      <text className="ground" x={rated + 14} y={Math.max(othersEnd + 4, ownEnd + 34)}>
        {others.map((each) => name[each]).join(' ')} {figure(othersK, 1)} K
      </text>
      <path className="usual" d={`M${usual.x} ${top}V${bottom}`} />
      <path className="excess" d={`M${usual.x} ${usual.from}V${usual.to}`} />
      <text className="ground" x={usual.x - 6} y={top + 14} textAnchor="end">
        i95 {figure(Math.sqrt(usualLoad) * ratedA, 0)} A
      </text>
      <text className="kind-text warning ground" x={usual.x + 8} y={usual.from + 20}>
        E95 {figure(excessK * usualLoad, 1)} K
      </text>
    </>
  )
}

/** Which colour is which phase, and that the days fade. */
export function ContactKey({ facts, iec }: { facts: ContactFacts; iec: boolean }) {
  const { t } = useTranslation('warning')
  const name = phaseNames(iec)
  const phases = [...new Set(facts.hours.map(({ phase }) => phase))].toSorted()
  return (
    <>
      {phases.map((phase) => (
        <span key={phase} className={`chart-key phase-${phase}`}>
          <i />
          {name[phase]}
        </span>
      ))}
      <span className={`chart-key phase-${facts.phase}`}>
        {t('daysAgo', { count: contactDays })}
        <b aria-hidden="true">
          {Array.from({ length: contactDays + 1 }, (_, i) => contactDays - i).map((age) => (
            <u key={age} style={{ opacity: opacityOf(age) }} />
          ))}
        </b>
        {t('today')}
      </span>
    </>
  )
}
