/** Why a model of the user's own cannot be used, for Chinese readers of the log. */
const phrases: readonly (readonly [RegExp, string])[] = [
  [/The (model|vocabulary) file '(.+?)' does not exist; check the path\./, '$1文件“$2”不存在；请检查路径。'],
  [/The (model|vocabulary) file '(.+?)' is not a file; check the path\./, '$1文件“$2”不是文件；请检查路径。'],
  [/The (model|vocabulary) file '(.+?)' cannot be read \((.*)\)\./s, '无法读取$1文件“$2”（$3）。'],
  [
    /The (model|vocabulary) file '(.+?)' has (\d+) bytes, more than the (\d+) that are read; use a smaller one\./,
    '$1文件“$2”有 $3 字节，超过可读取的 $4 字节；请换用更小的。',
  ],
  [
    /The model file '(.+?)' is no ONNX model that the runtime takes \((.*)\)\./s,
    '模型文件“$1”不是运行库能使用的 ONNX 模型（$2）。',
  ],
  [
    /The model file '(.+?)' needs inputs that are not given \((.+?)\); use a text model with (.+?)\./,
    '模型文件“$1”需要我们不提供的输入（$2）；请使用输入为 $3 的文本模型。',
  ],
  [
    /The model file '(.+?)' has no input 'input_ids'; use a text model of the BERT kind\./,
    '模型文件“$1”没有输入 input_ids；请使用 BERT 类文本模型。',
  ],
  [/The model file '(.+?)' could not read a text \((.*)\)\./s, '模型文件“$1”无法处理文本（$2）。'],
  [
    /The model file '(.+?)' does not give one vector of 1 to (\d+) floats for each text or piece, but (.+?); use a sentence model\./,
    '模型文件“$1”没有为每段文本或词片给出 1 至 $2 维的浮点向量，而是 $3；请使用句向量模型。',
  ],
  [
    /The vocabulary has no piece '(.+?)'; name the vocab\.txt or tokenizer\.json that belongs to the model\./,
    '词表中没有“$1”；请指定与模型配套的 vocab.txt 或 tokenizer.json。',
  ],
  [
    /The vocabulary file is (?:none|of the kind '(.+?)'); only WordPiece \(BERT\) models can be read, by their vocab\.txt or tokenizer\.json\./,
    '词表文件无法使用（$1）；只支持 WordPiece（BERT）模型的 vocab.txt 或 tokenizer.json。',
  ],
  [
    /ONNX Runtime is not installed(?: or cannot be used \((.*)\))?; run '(.+?)' where pegboard is installed, or use another embedding provider\./s,
    '未安装 ONNX Runtime（$1）；请在安装 pegboard 的位置运行“$2”，或改用其他提供方。',
  ],
  [
    /The embedding model was not loaded within (\d+) ms; use a smaller one\./,
    '向量模型未能在 $1 毫秒内加载；请换用更小的。',
  ],
  [/The embedding model did not answer within (\d+) ms\./, '向量模型未在 $1 毫秒内应答。'],
  [/The embedding model was closed\./, '向量模型已关闭。'],
  [/The search was cancelled\./, '搜索已取消。'],
  [/The embedding model failed: /, '向量模型出错：'],
  [
    /The thread of the embedding model ended; the next search begins another\./,
    '向量模型的线程已结束；下次搜索会重新启动。',
  ],
  [
    /The model file or its vocabulary became another; start again to use it\./,
    '模型文件或其词表已被替换；重启后才会使用新的。',
  ],
  [/Too many texts wait for the embedding model; try again shortly\./, '等待向量模型的文本过多；请稍后再试。'],
]

/** A sentence with such a reason in it, the reason in Chinese. */
export const modelZh = (text: string): string =>
  phrases
    .reduce((said, [pattern, words]) => said.replace(pattern, words), text)
    .replace('（）', '')
    .replace(/model文件/g, '模型文件')
    .replace(/vocabulary文件/g, '词表文件')
