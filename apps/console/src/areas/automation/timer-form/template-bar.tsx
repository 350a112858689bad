import { useTranslation } from 'react-i18next'
import type { FormValues } from './form-values.ts'
import { templates, valuesOfTemplate } from './templates.ts'

/** What many plants have, in one press: only the lines are left to pick. */
export function TemplateBar({ onPick }: { onPick: (values: FormValues) => void }) {
  const { t } = useTranslation('timerForm')
  return (
    <div className="timer-templates" role="group" aria-label={t('templates')}>
      <span className="mute">{t('templates')}</span>
      {templates.map((template) => {
        const name = t(`templateNames.${template}`)
        return (
          <button type="button" className="btn small" key={template} onClick={() => onPick(valuesOfTemplate(template, name))}>
            {name}
          </button>
        )
      })}
    </div>
  )
}
