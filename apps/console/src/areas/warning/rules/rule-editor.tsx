import type { WarningRule } from '@linewarden/contract'
import { useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Unloaded } from '../../../app/net/unloaded.tsx'
import { useLineRefs, useProjects } from '../../../plant/queries.ts'
import { Icon } from '../../../ui/icon.tsx'
import { PreviewResult } from './preview-panel.tsx'
import { RuleChanges } from './rule-changes.tsx'
import type { RuleDraft } from './rule-draft.ts'
import { changesOf, noDraft, valuesOf } from './rule-draft.ts'
import { RuleForm } from './rule-form.tsx'
import { SaveBar } from './save-bar.tsx'
import { usePreview } from './use-preview.ts'

/** The form of a rule, and beside it what it would have raised and who changed it. */
export function RuleEditor({
  rule,
  house,
  draft,
  mayNot,
  onBack,
  onDraft,
  onPreview,
}: {
  rule: WarningRule
  house: number | null
  draft: RuleDraft
  /** Why it is only read; null: it may be changed. */
  mayNot: string | null
  /** To the list, where there is no room beside it; null: it stands beside. */
  onBack: (() => void) | null
  onDraft: (draft: RuleDraft) => void
  /** Findings of the preview of what stands in the form; null: not known. */
  onPreview: (findings: number | null) => void
}) {
  const { t } = useTranslation('warningRules')
  const houseIds = useMemo(() => (house === null ? [] : [house]), [house])
  const { projects } = useProjects(houseIds)
  const lines = useLineRefs(projects)
  const changes = changesOf(rule, draft).length
  const values = valuesOf(rule, draft)
  const preview = usePreview(rule, house, values, changes > 0)
  const { data } = preview.query
  const findings = data && !preview.isOld ? data.New.Findings : null
  useEffect(() => onPreview(findings), [findings, onPreview])
  return (
    <>
      <div className="rule-editor">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
        <section className="rule-form" aria-label={t('form')} tabIndex={0}>
          {onBack && (
            <button type="button" className="btn quiet" onClick={onBack}>
              <Icon name="left" />
              {t('rules')}
            </button>
          )}
          {mayNot !== null && <p className="warning-note calm">{mayNot}</p>}
          <RuleForm
            rule={rule}
            draft={draft}
            lines={house === null ? null : lines}
            disabled={mayNot !== null}
            onDraft={onDraft}
          />
        </section>
        {mayNot === null && (
          <SaveBar
            rule={rule}
            house={house}
            values={values}
            changes={changes}
            onSaved={() => onDraft(noDraft)}
            onDiscard={() => onDraft(noDraft)}
          />
        )}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <aside className="rule-beside" aria-label={t('preview')} tabIndex={0}>
        {rule.Unavailable === null && (
          <section className="part">
            <h3>
              {t('preview')} <small>{t('thirtyDays')}</small>
              <span className="grow" />
              <button
                type="button"
                className="btn small"
                aria-busy={preview.query.isFetching}
                disabled={values === null}
                onClick={preview.query.isFetching ? undefined : preview.run}
              >
                {t(data ? 'runAgain' : 'run')}
              </button>
            </h3>
            {!preview.isWanted && !data && <p className="mute">{t('previewHint')}</p>}
            {preview.isWanted && <Unloaded query={preview.query} />}
            {data && (
              <PreviewResult
                rule={rule}
                preview={data}
                isOld={preview.isOld}
                onUse={
                  mayNot === null
                    ? (name, value) => onDraft({ ...draft, texts: { ...draft.texts, [name]: String(value) } })
                    : null
                }
              />
            )}
          </section>
        )}
        <RuleChanges rule={rule} house={house} />
      </aside>
    </>
  )
}
