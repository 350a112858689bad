import type { WarningRule } from '@linewarden/contract'
import { priorities } from '@linewarden/equipment'
import { useTranslation } from 'react-i18next'
import type { LineRef } from '../../../plant/equipment.ts'
import { Segments } from '../../../ui/fields.tsx'
import { localised } from '../../../ui/i18n.ts'
import { amount } from '../amount.ts'
import type { RuleDraft } from './rule-draft.ts'
import { changesOf, figureOf, isWrong } from './rule-draft.ts'
import { parameterMeaning, sourceText } from './rule-words.ts'
import { TargetPicker } from './target-picker.tsx'

/** Every figure of a rule with what it means, its range and where it comes from; what was changed is marked. */
export function RuleForm({
  rule,
  draft,
  lines,
  disabled,
  onDraft,
}: {
  rule: WarningRule
  draft: RuleDraft
  /** Of the project; null: the default of all projects names no lines. */
  lines: readonly LineRef[] | null
  disabled: boolean
  onDraft: (draft: RuleDraft) => void
}) {
  const { t } = useTranslation('warningRules')
  const changed = changesOf(rule, draft)
  return (
    <>
      <header className="rule-head">
        <h2>{localised(rule.Label)}</h2>
        <p>{localised(rule.Meaning)}</p>
      </header>
      <h3 className="rule-group">
        {t('targets')} <small>{t('appliedTo', { count: rule.Lines })}</small>
      </h3>
      <TargetPicker
        targets={draft.targets ?? rule.Targets}
        except={draft.except ?? rule.Except}
        changed={changed.includes('Targets') || changed.includes('Except')}
        lines={lines}
        disabled={disabled}
        onTargets={(targets) => onDraft({ ...draft, targets })}
        onExcept={(except) => onDraft({ ...draft, except })}
      />
      <h3 className="rule-group">{t('figures')}</h3>
      {rule.Params.map((parameter) => (
        <ParameterRow
          key={parameter.Name}
          ruleKey={rule.Key}
          parameter={parameter}
          draft={draft}
          disabled={disabled}
          onText={(text) => onDraft({ ...draft, texts: { ...draft.texts, [parameter.Name]: text } })}
        />
      ))}
      <h3 className="rule-group">
        {t('priority')} <small>{t('priorityHint')}</small>
      </h3>
      <div className={changed.includes('Priority') ? 'rule-targets changed' : 'rule-targets'}>
        {disabled ? (
          <b>{t(`priorities.${rule.Priority}`)}</b>
        ) : (
          <Segments
            label={t('priority')}
            value={draft.priority ?? rule.Priority}
            options={priorities.map((value) => ({ value, label: t(`priorities.${value}`) }))}
            onChange={(priority) => onDraft({ ...draft, priority })}
          />
        )}
        <span className="mute">{t('defaultIs', { value: t(`priorities.${rule.DefaultPriority}`) })}</span>
      </div>
    </>
  )
}

function ParameterRow({
  ruleKey,
  parameter,
  draft,
  disabled,
  onText,
}: {
  ruleKey: string
  parameter: WarningRule['Params'][number]
  draft: RuleDraft
  disabled: boolean
  onText: (text: string) => void
}) {
  const { t } = useTranslation('warningRules')
  const { Name, Label, Unit, Value, Default, Min, Max, Source } = parameter
  const wrong = isWrong(draft, parameter)
  const changed = figureOf(draft, parameter) !== Value
  const label = localised(Label)
  return (
    <div className={changed ? 'parameter changed' : 'parameter'}>
      <span className="name">
        {label}
        <small>{parameterMeaning(t, ruleKey, Name)}</small>
      </span>
      <span className="input">
        {disabled ? (
          <b>
            {amount(Value)} <span className="unit">{Unit}</span>
          </b>
        ) : (
          <span className={wrong ? 'field wrong' : 'field'}>
            <input
              inputMode="decimal"
              aria-label={label}
              aria-invalid={wrong || undefined}
              aria-describedby={`range-${Name}`}
              maxLength={12}
              value={draft.texts[Name] ?? String(Value)}
              onChange={(event) => onText(event.target.value)}
            />
            <span className="unit">{Unit}</span>
          </span>
        )}
      </span>
      <span className="range" id={`range-${Name}`}>
        {wrong ? (
          <em role="alert">{t('outOfRange', { from: amount(Min), to: amount(Max) })}</em>
        ) : (
          <span>
            {amount(Min)} – {amount(Max)}
          </span>
        )}
        <small>
          {changed && (
            <>
              <b>{t('wasValue', { value: amount(Value) })}</b>{' '}
            </>
          )}
          {changed || Value !== Default ? t('defaultIs', { value: amount(Default) }) : sourceText(Source)}
        </small>
      </span>
    </div>
  )
}
