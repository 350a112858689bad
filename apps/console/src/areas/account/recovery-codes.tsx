import { useTranslation } from 'react-i18next'
import { saveText } from '../../ui/csv.ts'
import { ShownOnce } from '../../ui/shown-once.tsx'

/** What lets somebody in who has lost the second factor. */
export function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const { t } = useTranslation('security')
  const save = () => saveText('linewarden-recovery-codes.txt', `${codes.join('\r\n')}\r\n`, 'text/plain;charset=utf-8')
  return (
    <ShownOnce
      title={t('codes')}
      caution={t('codesWhat')}
      kept={t('codesKept')}
      actions={
        <button type="button" className="btn" onClick={save}>
          {t('saveCodes')}
        </button>
      }
      onClose={onClose}
    >
      <ul className="recovery-codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
    </ShownOnce>
  )
}
