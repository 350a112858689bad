import type { WarningRule } from '@linewarden/contract'
import { ruleGroups } from '@linewarden/rules/warning'
import { useTranslation } from 'react-i18next'
import { ReasonedButton } from '../../../app/notify/reasoned-button.tsx'
import { localised } from '../../../ui/i18n.ts'
import { Mark } from '../../../ui/mark.tsx'

/** Every rule by its group: on or off, where it is set, and how many it raised in 30 days. */
export function RuleList({
  rules,
  chosen,
  isOn,
  after,
  mayNot,
  onChoose,
  onSwitch,
}: {
  rules: readonly WarningRule[]
  chosen: string | null
  /** As the form has it, of the rule that is open. */
  isOn: (rule: WarningRule) => boolean
  /** Findings of the open rule as it would be, by the preview; null: not known, or the same. */
  after: number | null
  /** Why nothing is switched here; null: it may be. */
  mayNot: string | null
  onChoose: (key: string) => void
  onSwitch: (rule: WarningRule) => void
}) {
  const { t } = useTranslation('warningRules')
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="rule-list" aria-label={t('rules')} tabIndex={0}>
      {ruleGroups.map((group) => (
        <div key={group}>
          <h3>
            {t(`groups.${group}`)}
            <small>{t('thirtyDays')}</small>
          </h3>
          <ul>
            {rules
              .filter(({ Group }) => Group === group)
              .map((rule) => (
                <li key={rule.Key} className={rule.Key === chosen ? 'chosen' : undefined}>
                  <RuleSwitch
                    name={localised(rule.Label)}
                    isOn={isOn(rule)}
                    never={rule.Unavailable !== null}
                    mayNot={mayNot}
                    onSwitch={() => onSwitch(rule)}
                  />
                  <button
                    type="button"
                    className="name"
                    aria-current={rule.Key === chosen ? 'true' : undefined}
                    onClick={() => onChoose(rule.Key)}
                  >
                    <span>{localised(rule.Label)}</span>
                    {rule.Noisy && (
                      <span className="noisy">
                        <Mark kind="warning" size={12} />
                        {t('noisyShort')}
                      </span>
                    )}
                  </button>
                  <span className="origin">{t(`origins.${rule.Origin}`)}</span>
                  <span className="count">{countText(rule, rule.Key === chosen ? after : null, t('notMeasured'))}</span>
                </li>
              ))}
          </ul>
        </div>
      ))}
    </section>
  )
}

function countText({ Unavailable, Enabled, Findings }: WarningRule, after: number | null, notMeasured: string): string {
  if (Unavailable) return notMeasured
  if (after !== null && after !== Findings) return `${Findings} → ${after}`
  return Enabled || Findings > 0 ? String(Findings) : '–'
}

/** On or off. What nothing measures has a dashed one, which cannot be switched. */
function RuleSwitch({
  name,
  isOn,
  never,
  mayNot,
  onSwitch,
}: {
  name: string
  isOn: boolean
  never: boolean
  mayNot: string | null
  onSwitch: () => void
}) {
  const { t } = useTranslation('warningRules')
  return (
    <ReasonedButton
      role="switch"
      className={never ? 'rule-switch never' : 'rule-switch'}
      aria-checked={isOn && !never}
      aria-label={t('switchOf', { name })}
      reason={never ? t('neverHint') : mayNot}
      onClick={onSwitch}
    >
      <i />
    </ReasonedButton>
  )
}
