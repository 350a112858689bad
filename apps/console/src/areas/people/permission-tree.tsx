import type { Reply, rolePermissions } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { localised } from '../../ui/i18n.ts'
import { chosenOf, TriCheck } from '../../ui/tri-check.tsx'
import './permission-tree.css'

/** Every permission there is: sections with their pages, and operations. What the person does not hold cannot be given. */
export function PermissionTree({
  permissions: { Pages, Buttons },
  privileges,
  buttons,
  error,
  onPrivileges,
  onButtons,
}: {
  permissions: Reply<typeof rolePermissions>
  privileges: readonly string[]
  buttons: readonly string[]
  error: string | null
  onPrivileges: (keys: readonly string[]) => void
  onButtons: (keys: readonly string[]) => void
}) {
  const { t } = useTranslation('people')
  const chosen = new Set(privileges)
  /** A section is held by whoever holds one of its pages. */
  const change = (section: (typeof Pages)[number], keys: readonly string[], add: boolean) => {
    const after = new Set(chosen)
    for (const key of keys) {
      if (add) after.add(key)
      else after.delete(key)
    }
    if (section.Subs.some(({ Key }) => after.has(Key))) after.add(section.Key)
    else after.delete(section.Key)
    onPrivileges([...after])
  }
  return (
    <fieldset className="permission-tree" aria-invalid={error !== null}>
      <legend>
        {t('permissions')}
        <i aria-hidden="true">*</i>
      </legend>
      {Pages.map((section) => {
        const mine = section.Subs.filter(({ Mine }) => Mine).map(({ Key }) => Key)
        return (
          <div key={section.Key} className="permission-group">
            <TriCheck
              chosen={chosenOf(
                section.Subs.map(({ Key }) => Key),
                chosen,
              )}
              disabled={mine.length === 0}
              onChange={(all) => change(section, mine, all)}
            >
              <b>{localised(section.Name)}</b>
            </TriCheck>
            <div>
              {section.Subs.map(({ Key, Name, Mine }) => (
                <TriCheck
                  key={Key}
                  chosen={chosen.has(Key) ? 'all' : 'none'}
                  disabled={!Mine}
                  title={Mine ? undefined : t('notMine')}
                  onChange={(add) => change(section, [Key], add)}
                >
                  {localised(Name)}
                </TriCheck>
              ))}
            </div>
          </div>
        )
      })}
      <div className="permission-group">
        <b>{t('buttons')}</b>
        <div>
          {Buttons.map(({ Key, Name, Mine }) => (
            <TriCheck
              key={Key}
              chosen={buttons.includes(Key) ? 'all' : 'none'}
              disabled={!Mine}
              title={Mine ? undefined : t('notMine')}
              onChange={(add) => onButtons(add ? [...buttons, Key] : buttons.filter((each) => each !== Key))}
            >
              {localised(Name)}
            </TriCheck>
          ))}
        </div>
      </div>
      {error && <small role="alert">{error}</small>}
    </fieldset>
  )
}
