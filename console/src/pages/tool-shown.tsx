import { useState } from 'react'
import type { ShownToolAnswer } from '../../../src/faces/admin/overrides.js'
import type { ProfilesAnswer } from '../../../src/faces/admin/profiles.js'
import { segment } from '../api/client.js'
import { useLive } from '../api/live.js'
import { useLoad } from '../api/use-load.js'
import { useTexts } from '../i18n/texts.js'
import type { OwnWords } from '../i18n/words.js'
import { Json } from '../parts/code.js'
import { Choice } from '../parts/field.js'
import { useMay } from '../parts/may.js'
import { Failure, Loading } from '../parts/page.js'
import { OverrideForm } from './override-form.js'
import { ShownBeside } from './shown-beside.js'

const own = {
  forWhom: ['For whom', '对谁'],
  everybody: ['everybody', '所有人'],
  ofProfile: ['profile {name}', '配置档 {name}'],
  moreOfProfiles: ['These profiles say more of it: {names}.', '这些配置档另有设置：{names}。'],
  isHeld: [
    'It is held back until somebody approves it. How it is shown can be changed then.',
    '它被扣留，待批准后才能改变展示方式。',
  ],
  bySource: [
    'The entry of its source in the configuration file says this of it. It is changed there; what is said here counts before it.',
    '配置文件中其来源的条目对它有以下设置，只能在那里修改；此处的设置优先。',
  ],
  written: ['Written', '已写内容'],
  onlyLook: ['Only administrators change how tools are shown.', '只有管理员能改变展示方式。'],
} as const satisfies OwnWords

/** How callers see one tool, beside what its source says; whoever may, changes it. */
export const ToolShown = ({ id, onSaved }: { readonly id: string; onSaved(): void }) => {
  const say = useTexts(own)
  const { catalog } = useLive()
  const may = useMay()
  const [profile, setProfile] = useState('')
  const profiles = useLoad<ProfilesAnswer>('/profiles').data?.profiles ?? []
  const query = profile === '' ? '' : `?profile=${segment(profile)}`
  const path = `/tools/${segment(id)}/override${query}`
  const { data: answer, error, reload } = useLoad<ShownToolAnswer>(path, catalog)
  const others = answer?.profiles.filter((name) => name !== profile) ?? []
  return (
    <div className="stack">
      <Choice
        label={say('forWhom')}
        value={profile}
        onChange={setProfile}
        options={[['', say('everybody')], ...profiles.map(({ name }) => [name, say('ofProfile', { name })] as const)]}
      />
      {error && <Failure error={error} />}
      {!error && !answer && <Loading />}
      {others.length > 0 && <p className="muted small">{say('moreOfProfiles', { names: others.join(', ') })}</p>}
      {answer?.held && <p className="notice warn">{say('isHeld')}</p>}
      {answer?.bySource && (
        <div className="notice">
          <p>{say('bySource')}</p>
          <Json value={answer.bySource} label={say('bySource')} />
        </div>
      )}
      {answer &&
        (may('admin') && !answer.held ? (
          <OverrideForm
            key={path}
            answer={answer}
            path={path}
            previewPath={`/tools/${segment(id)}/override-preview${query}`}
            onSaved={() => {
              void reload()
              onSaved()
            }}
          />
        ) : (
          <>
            <ShownBeside report={answer} />
            {Object.keys(answer.written).length > 0 && <Json value={answer.written} label={say('written')} />}
            {!may('admin') && <p className="muted small">{say('onlyLook')}</p>}
          </>
        ))}
    </div>
  )
}
