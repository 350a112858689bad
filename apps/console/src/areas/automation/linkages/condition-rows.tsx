import type { LinkageCondition } from '@linewarden/contract'
import { familyOf } from '@linewarden/equipment'
import { useTranslation } from 'react-i18next'
import { LineTag } from '../../../plant/tag-mark.tsx'
import { barShare, conditionText, isStale, limitShare, valueText } from './condition-facts.ts'

/** Each condition with its last value, and how far that is along to its limit. */
export function ConditionRows({
  conditions,
  isOutside,
}: {
  conditions: readonly LinkageCondition[]
  /** It is none of its hours: nothing is compared now. */
  isOutside: boolean
}) {
  return (
    <span className="condition-rows">
      {conditions.map((condition) => (
        <ConditionRow
          key={`${condition.LineID} ${condition.Kind} ${condition.Key} ${condition.Op}`}
          {...{ condition, isOutside }}
        />
      ))}
    </span>
  )
}

function ConditionRow({ condition, isOutside }: { condition: LinkageCondition; isOutside: boolean }) {
  const { t } = useTranslation('linkages')
  const family = familyOf(condition.Family)
  const stale = isStale(condition)
  const share = isOutside ? null : barShare(condition)
  return (
    <>
      <span className="condition-word named-line">
        <bdi>{conditionText({ ...condition, LineName: condition.LineName || t('goneLine') }, family)}</bdi>
        <LineTag lineId={condition.LineID} />
      </span>
      <span className="condition-now">
        {condition.Gone ? <i className="quality">{t('gone')}</i> : valueText(condition, family, condition.Last, false)}
        {stale && <i className="quality">{t('old')}</i>}
        {isOutside && !stale && !condition.Gone && <i className="quality">{t('outsideHours')}</i>}
      </span>
      <LimitBar share={share} isStale={stale} />
    </>
  )
}

/** A value on its way to the limit, which stands at 80 % of the length. */
export function LimitBar({ share, isStale: old }: { share: number | null; isStale: boolean }) {
  if (share === null) return <span className="limit-bar none" aria-hidden="true" />
  return (
    <span className={old ? 'limit-bar old' : 'limit-bar'} aria-hidden="true">
      <i style={{ width: `${share * 100}%` }} />
      <s style={{ left: `${limitShare * 100}%` }} />
    </span>
  )
}
