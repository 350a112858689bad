import type { WarningRule, WarningRuleChange } from '@linewarden/contract'
import { listWarningRuleChanges } from '@linewarden/contract'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { ChangeHistory, useChanges } from '../../../app/net/change-history.tsx'
import { useCall } from '../../../app/net/use-call.ts'
import { localised } from '../../../ui/i18n.ts'
import { amount } from '../amount.ts'

/** Who changed what of a rule, newest first, and why. */
export function RuleChanges({ rule, house }: { rule: WarningRule; house: number | null }) {
  const { t } = useTranslation(['warningRules', 'app'])
  const { page, more, options } = useChanges()
  const query = useCall(
    listWarningRuleChanges,
    { query: { ...(house !== null && { HouseID: house }), Key: rule.Key, ...page } },
    options,
  )
  return (
    <ChangeHistory
      query={query}
      more={more}
      words={{ title: t('history'), none: t('historyNone'), more: t('historyMore') }}
      className="part"
    >
      {(change) => <p>{changeText(t, rule, change)}</p>}
    </ChangeHistory>
  )
}

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
