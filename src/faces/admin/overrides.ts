import type { HttpExchange } from '../../http/route.js'
import type { JsonObject } from '../../model/json.js'
import type { Operation } from '../../operations/operation.js'
import { anyObject, flag, integer, list, shape, text, type ValueOf, words } from '../../operations/shape.js'
import { placedErrors } from '../../operations/told-error.js'
import { adminOperation } from './admin-operation.js'

const problem = shape({
  /** Within the override: `arguments.body.maxLength`. */
  path: text(),
  message: text(),
})

const shownTool = shape(
  {
    id: text(),
    profile: text(),
    /** What of it is not as its source says. */
    changes: list(text()),
    /** Why it cannot be shown so. */
    problems: list(problem),
    /** The override as it is written, without what is secret in it. */
    written: anyObject(),
    /** The profiles that say something of it themselves. */
    profiles: list(text()),
  },
  {
    /** Not there where no source has it. */
    source: text(),
    /** What its source says. */
    upstream: anyObject(),
    upstreamTokens: integer(),
    tags: list(text()),
    /** Not there where it is off, does not fit or is held back. */
    shown: shape({ id: text(), definition: anyObject(), tokens: integer(), tags: list(text()) }),
    /** What the entry of its source says of it, which is changed in the file alone; without what is secret in it. */
    bySource: anyObject(),
    /** It waits for somebody to approve it, and is shown to nobody. */
    held: flag(),
  },
)

export type ShownToolAnswer = ValueOf<typeof shownTool>

/** How tools are shown, as an operator looks at it and changes it. */
export interface OverrideDesk {
  of(id: string, profile: string | undefined): Promise<ShownToolAnswer>
  /** How it would be shown, and what would not fit: nothing is changed. */
  preview(id: string, profile: string | undefined, override: JsonObject): Promise<ShownToolAnswer>
  save(id: string, profile: string | undefined, override: JsonObject): Promise<ShownToolAnswer>
  /** As its source says, and as the rest of the configuration does. */
  reset(id: string, profile: string | undefined): Promise<ShownToolAnswer>
}

const params = { id: words('The id of the tool, as its source has it', '工具 id（以来源为准）') }
/** For the callers of this profile alone; for everybody where none is named. */
const profileIn = ({ exchange }: { readonly exchange: HttpExchange }): string | undefined =>
  exchange.query.get('profile')?.slice(0, 64) || undefined

const override = anyObject({ maxProperties: 16 })

export const overrideOperations = ({ overrides }: { readonly overrides: OverrideDesk }): readonly Operation[] => [
  adminOperation({
    id: 'readOverride',
    method: 'GET',
    path: '/tools/:id/override',
    right: 'look',
    summary: words('A tool as its source has it, and as it is shown', '工具在来源中的样子，以及展示给调用者的样子'),
    params,
    answer: shownTool,
    run: (request) => overrides.of(request.params.id!, profileIn(request)),
  }),
  adminOperation({
    id: 'saveOverride',
    method: 'PUT',
    path: '/tools/:id/override',
    right: 'admin',
    summary: words('Show a tool otherwise than its source does', '改变工具的展示方式'),
    params,
    body: override,
    answer: shownTool,
    errors: placedErrors,
    deed: { kind: 'setting', action: 'override', after: ({ body }) => Object.keys(body as object).join(',') },
    run: (request) => overrides.save(request.params.id!, profileIn(request), request.body),
  }),
  adminOperation({
    id: 'previewOverride',
    method: 'POST',
    path: '/tools/:id/override-preview',
    // Not for who only looks: whether a value fits would tell them what a variable holds.
    right: 'admin',
    deed: false,
    summary: words('How a tool would be shown, before it is saved', '保存之前预览工具的展示方式'),
    params,
    body: override,
    answer: shownTool,
    run: (request) => overrides.preview(request.params.id!, profileIn(request), request.body),
  }),
  adminOperation({
    id: 'resetOverride',
    method: 'DELETE',
    path: '/tools/:id/override',
    right: 'admin',
    summary: words('Show a tool as its source does', '恢复为来源的展示方式'),
    params,
    answer: shownTool,
    deed: { kind: 'setting', action: 'reset' },
    run: (request) => overrides.reset(request.params.id!, profileIn(request)),
  }),
]
