import type { WarningRule, WarningRuleChange } from '@linewarden/contract'
import { listWarningRuleChanges } from '@linewarden/contract'
import { keepPreviousData } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Unloaded } from '../../../app/net/unloaded.tsx'
import { useCall } from '../../../app/net/use-call.ts'
import { dayTime } from '../../../ui/format.ts'
import { localised } from '../../../ui/i18n.ts'
import { amount } from '../amount.ts'

const pageSize = 10

/** Who changed what of a rule, newest first, and why. */
export function RuleChanges({ rule, house }: { rule: WarningRule; house: number | null }) {
  const { t } = useTranslation(['warningRules', 'app'])
  const [size, setSize] = useState(pageSize)
  const query = useCall(
    listWarningRuleChanges,
    { query: { ...(house !== null && { HouseID: house }), Key: rule.Key, Page: 1, Size: size } },
    { placeholderData: keepPreviousData },
  )
  const { data } = query
  return (
    <section className="part" aria-label={t('history')}>
      <h3>{t('history')}</h3>
      <Unloaded query={query} />
      {data?.items.length === 0 && <p className="mute">{t('historyNone')}</p>}
      <ol className="rule-changes">
        {data?.items.map((change) => (
          <li key={change.Version}>
            <time>{dayTime(change.At)}</time>
            <span>
              {changeText(t, rule, change)}
              {change.Reason !== '' && <small>{change.Reason}</small>}
            </span>
            <i>
              <bdi>{change.By}</bdi> v{change.Version}
            </i>
          </li>
        ))}
      </ol>
      {data && data.total > data.items.length && size < maxShown && (
        <button type="button" className="btn small quiet" onClick={() => setSize(Math.min(maxShown, size + 20))}>
          {t('historyMore')}
        </button>
      )}
    </section>
  )
}

const maxShown = 100

/** What a change did, in words: each figure from what to what. */
export function changeText(t: TFunction<['warningRules', 'app']>, rule: WarningRule, change: WarningRuleChange): string {
  const { Before, After, Changed, Restored } = change
  if (Restored) return t('restored')
  const figureOf = (values: WarningRuleChange['Before'], name: string) => {
    const value = values.Params.find(({ Name }) => Name === name)?.Value
    return value === undefined ? '–' : amount(value)
  }
  return Changed.map((name) => {
    switch (name) {
      case 'Enabled':
        return t(After.Enabled ? 'switchedOn' : 'switchedOff')
      case 'Priority':
        return `${t('priority')} ${t(`priorities.${Before.Priority}`)} → ${t(`priorities.${After.Priority}`)}`
      case 'Targets':
        return `${t('targets')} ${t(`targetKinds.${Before.Targets.Kind}`)} → ${t(`targetKinds.${After.Targets.Kind}`)}`
      case 'Except':
        return `${t('except')} ${Before.Except.length} → ${After.Except.length}`
      default: {
        const label = rule.Params.find(({ Name }) => Name === name)?.Label
        return `${label ? localised(label) : name} ${figureOf(Before, name)} → ${figureOf(After, name)}`
      }
    }
  }).join(t('app:listComma'))
}
