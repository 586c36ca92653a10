import type { z } from 'zod'
import {
  address,
  asWritten,
  milliseconds,
  oneOf,
  pair,
  path,
  structure,
  variable,
  whole,
  words,
} from './kinds-of-value.js'
import { section, setting } from './setting.js'

const wholeEmbedding = (schema: z.ZodObject): z.ZodObject =>
  schema
    .refine((value) => value.provider !== 'openai' || value.url !== undefined, {
      path: ['url'],
      message: 'is required for the openai provider; add the address of its API',
    })
    .refine((value) => !['openai', 'transformers'].includes(String(value.provider)) || value.model !== undefined, {
      path: ['model'],
      message: 'is required for this provider; name the model it should use',
    })
    .refine((value) => value.provider !== 'onnx' || value.modelFile !== undefined, {
      path: ['modelFile'],
      message: 'is required for the onnx provider; add the path of the model',
    })
    .refine((value) => value.provider !== 'onnx' || value.vocabularyFile !== undefined, {
      path: ['vocabularyFile'],
      message: 'is required for the onnx provider; add the path of its vocabulary',
    })

const embedding = section(
  'Search by meaning',
  {
    provider: setting(oneOf(['local', 'openai', 'transformers', 'onnx', 'off']), {
      about:
        'Who turns words into vectors: the model in this package (`local`), a service that speaks OpenAI’s API (`openai`), transformers.js where it is installed (`transformers`), a model file of your own by ONNX Runtime where that is installed (`onnx`), nobody (`off`)',
      example: 'openai',
      default: 'local',
      live: false,
      label: ['Who turns words into vectors', '由谁计算向量'],
    }),
    url: setting(address(['http', 'https']), {
      about: 'Address of the service; required for `openai`',
      example: 'https://api.openai.com/v1',
      live: false,
      label: ['Address of the service', '服务地址'],
    }),
    model: setting(
      words(({ nonEmpty }) => nonEmpty(512)),
      {
        about: 'Its model; required for `openai` and `transformers`',
        example: 'text-embedding-3-small',
        live: false,
        label: ['Its model', '模型'],
      },
    ),
    apiKey: setting(
      words(({ nonEmpty }) => nonEmpty(4096)),
      {
        about: 'Key for the service',
        example: variable('OPENAI_API_KEY'),
        live: false,
        label: ['Key for the service', '服务的密钥'],
      },
    ),
    modelFile: setting(path(), {
      about: 'The `.onnx` file of a sentence model of the BERT kind; required for `onnx`',
      example: './models/bge-small-en-v1.5.onnx',
      live: false,
      label: ['Model file', '模型文件'],
    }),
    vocabularyFile: setting(path(), {
      about: 'Its `vocab.txt` or `tokenizer.json` (WordPiece); required for `onnx`',
      example: './models/tokenizer.json',
      live: false,
      label: ['Vocabulary of the model', '模型的词表文件'],
    }),
    pooling: setting(oneOf(['mean', 'cls']), {
      about:
        'How `onnx` makes one vector of a text’s pieces: their mean, or that of the first (`cls`, for BGE models). Default: `mean`',
      example: 'cls',
      live: false,
      label: ['How pieces become one vector', '如何合成一个向量'],
    }),
    maxTokens: setting(whole(8, 8192), {
      about: 'Pieces of one text that `onnx` reads. Default: 128',
      example: 256,
      live: false,
      label: ['Pieces of one text that are read', '每段文字读取的词片数'],
    }),
    queryPrefix: setting(
      words(({ nonEmpty }) => nonEmpty(512), { read: asWritten }),
      {
        about: 'Put before what is searched for, where the model of `onnx` was trained so',
        example: 'query: ',
        live: false,
        label: ['Before what is searched for', '查询前缀'],
      },
    ),
    toolPrefix: setting(
      words(({ nonEmpty }) => nonEmpty(512), { read: asWritten }),
      {
        about: 'Put before each tool’s text, likewise',
        example: 'passage: ',
        live: false,
        label: ['Before the text of a tool', '工具文本前缀'],
      },
    ),
    timeoutMs: setting(milliseconds(), {
      about:
        'Time for one request to the service (default: 10000), or for the model of `onnx` to load or to read a few texts (default: 30000)',
      example: 5000,
      live: false,
      label: ['Time for one request to the service or model', '单次请求服务或模型的时限'],
      help: ['Milliseconds.', '毫秒。'],
    }),
  },
  wholeEmbedding,
)

export const search = section('How tools are found', {
  method: setting(oneOf(['auto', 'regex', 'bm25', 'embedding']), {
    about: 'How tools are found where the caller does not say it; `auto` joins words and meaning',
    default: 'auto',
    lenientEnv: pair('SEARCH_METHOD'),
    flag: {
      name: 'searchMethod',
      value: 'name',
      help: ['how tools are found where the caller does not say it', '调用方未指定时的搜索方式'],
      on: 'served',
    },
    live: false,
    editable: true,
    label: ['Search method', '搜索方法'],
    help: ['Where a caller names none.', '调用者未指定时。'],
  }),
  replyBytes: setting(whole(1000, 10_000_000), {
    about: 'Bytes of one reply of `search_tools` and its companions; the rest is read on by `cursor`',
    default: 6000,
    live: true,
    editable: true,
    label: ['Reply size', '回复大小'],
    help: ['Bytes of one reply of the search tools; the rest is read on.', '搜索工具一次回复的字节数；其余继续读取。'],
  }),
  algorithms: setting(
    structure(({ z, nonEmpty }) =>
      z.record(
        z.string().regex(/^[a-z][a-z0-9_-]{0,63}$/, 'is not a legal name; use lower-case letters, digits, _ and -'),
        nonEmpty(4096),
      ),
    ),
    {
      about:
        'Methods of your own, by the name that callers use: a module, by path or package, that exports `{ index, search }`',
      example: { newest: './newest-first.mjs' },
      live: false,
      label: ['Search methods of your own', '自定义搜索方法'],
    },
  ),
  embedding,
})
