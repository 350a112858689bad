import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { periodText, pointText } from '../parts/period-text.ts'
import type { FormValues } from './form-values.ts'
import { formOf } from './form-values.ts'
import { templates, valuesOfTemplate } from './templates.ts'

/** What many plants have, in one press: only the lines are left to pick. Each says what it does before it is pressed. */
export function TemplateBar({ onPick }: { onPick: (values: FormValues) => void }) {
  const { t } = useTranslation(['timerForm', 'automation', 'app'])
  const [address] = useSearchParams()
  const isAsked = address.get('new') === 'template'
  return (
    <div className="timer-templates" role="group" aria-label={t('templates')}>
      <span className="mute">{t('templates')}</span>
      <div>
        {templates.map((template, index) => {
          const name = t(`templateNames.${template}`)
          const values = valuesOfTemplate(template, name)
          const form = formOf(values)
          return (
            <button
              type="button"
              key={template}
              // Whoever asked for a template begins with the first.
              autoFocus={isAsked && index === 0}
              aria-label={name}
              onClick={() => onPick(values)}
            >
              <b>{name}</b>
              <small>
                {[form.Type ? t(`automation:types.${form.Type}`) : '', periodText(form)].join(' ')} ·{' '}
                {form.Points.map(pointText).join(t('app:comma'))}
              </small>
            </button>
          )
        })}
      </div>
    </div>
  )
}
